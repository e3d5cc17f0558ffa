import { describe, expect, it } from 'vitest'
import { type LadsUnit, ladsState } from './lads.ts'

const unit = (name: string, state: string | null, more: Partial<LadsUnit> = {}): LadsUnit => ({
  name,
  state,
  runningState: null,
  run: null,
  ...more,
})

describe('the state of a LADS device', () => {
  it('is that of its most serious unit while the device operates', () => {
    const running = unit('Cooling', 'Running', { runningState: 'Held', run: 'R-7' })
    const units = [unit('Lid', 'Stopped'), running, unit('Pump', 'Clearing')]
    expect(ladsState('Operate', units)).toEqual({ state: 'Clearing', unit: 'Pump', runningState: null, run: null })
    expect(ladsState(null, units.slice(0, 2))).toEqual({
      state: 'Running',
      unit: 'Cooling',
      runningState: 'Held',
      run: 'R-7',
    })
  })

  it('is that of the device itself while it does not operate, or while no unit reports a state', () => {
    expect(ladsState('Sleep', [unit('Cooling', 'Running')])).toMatchObject({ state: 'Sleep', unit: null })
    expect(ladsState('Operate', [unit('Cooling', null)])).toMatchObject({ state: 'Operate', unit: null })
  })

  it('ranks states beyond the standard behind those of the standard', () => {
    expect(ladsState(null, [unit('A', 'Dreaming'), unit('B', 'Stopped')])).toMatchObject({ unit: 'B' })
    expect(ladsState(null, [unit('A', 'Dreaming')])).toMatchObject({ state: 'Dreaming' })
  })

  it('has no run once its unit has stopped, whatever the server still reports', () => {
    const at = (state: string) => ladsState('Operate', [unit('A', state, { run: 'R-7' })])?.run
    expect(['Running', 'Stopping', 'Aborting', 'Stopped', 'Aborted', 'Clearing'].map(at)).toEqual([
      ...['R-7', 'R-7', 'R-7'],
      ...[null, null, null],
    ])
  })

  it('is unknown while nothing is known, and an empty run is none', () => {
    expect(ladsState(null, [])).toBeNull()
    expect(ladsState(null, [unit('A', 'Running', { run: '' })])).toMatchObject({ run: null })
  })
})
