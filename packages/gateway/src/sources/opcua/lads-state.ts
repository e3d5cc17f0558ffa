/**
 * The state of a LADS device (OPC 30500-1): its functional units have a state each, and the instrument has one status.
 */

/** States of functional units; the first that any unit is in speaks for the device. */
const unitStates = ['Aborted', 'Aborting', 'Clearing', 'Running', 'Stopping', 'Stopped']

/** States in which the program of a unit is running; afterwards servers keep the id of its last run. */
const runningStates = ['Running', 'Stopping', 'Aborting']

export interface LadsUnit {
  name: string
  /** Functional state such as `Running`. */
  state: string | null
  /** State within Running, such as `Execute` or `Held`. */
  runningState: string | null
  /** `DeviceProgramRunId` of the active program. */
  run: string | null
}

export interface LadsState {
  state: string
  /** The unit that the state is from; null for the state of the device itself. */
  unit: string | null
  runningState: string | null
  /** The run in progress. */
  run: string | null
}

/**
 * Returns the state that an operator would name: that of the device unless it operates, otherwise the most serious of
 * its units. Null while nothing is known.
 */
export function ladsState(deviceState: string | null, units: readonly LadsUnit[]): LadsState | null {
  const known = units.filter(({ state }) => state !== null)
  const isOperating = deviceState === null || deviceState === 'Operate'
  if (!isOperating || known.length === 0)
    return deviceState === null ? null : { state: deviceState, unit: null, runningState: null, run: null }
  const rank = ({ state }: LadsUnit) => {
    const at = unitStates.indexOf(state ?? '')
    return at < 0 ? unitStates.length : at
  }
  const [first] = known.toSorted((a, b) => rank(a) - rank(b))
  if (!first) return null
  const { name, state, runningState, run } = first
  return {
    state: state ?? '',
    unit: name,
    runningState: state === 'Running' ? runningState : null,
    run: runningStates.includes(state ?? '') ? run || null : null,
  }
}
