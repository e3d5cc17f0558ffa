import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { aLogHit } from '@benchwatch/samples/log-hit'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatZone } from '../../../lib/time/dates.ts'
import { logColumns } from '../log-line.tsx'
import type { LogPage } from '../log-pages.ts'
import { copiedLine, copiedLines, LogLine, logRows } from './log-lines.tsx'
import { countLabel } from './log-viewer.tsx'

function Line({ hit }: { hit: LogHit }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div role="table">
      <LogLine
        hit={hit}
        columns={logColumns.VID}
        siteZone={null}
        isOpen={isOpen}
        isMarked={false}
        isCopied={false}
        onCopy={() => undefined}
        onContext={null}
        onToggle={() => setOpen(!isOpen)}
      />
    </div>
  )
}

/** All but the last, which has the actions. */
const cells = () => within(screen.getByRole('row')).getAllByRole('cell').slice(0, -1)

afterEach(cleanup)

describe('a line of a log', () => {
  it('shows the fields of its log, and a dash for missing ones', () => {
    render(<Line hit={aLogHit({ at: '2026-11-20T14:02:07.045Z', message: 'Pressure rises', module: null })} />)
    expect(cells().map((cell) => cell.textContent)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:07\.045$/),
      'INFO',
      '–',
      'VID-100',
      'Pressure rises',
    ])
  })

  it('marks what was found in all fields, also in those without a column, and takes HTML for text', () => {
    const evil = '<img src=x onerror=alert(1)>'
    render(
      <Line
        hit={aLogHit({
          message: evil,
          'host.hostname': 'PC-012',
          highlight: {
            message: ['<em>&lt;img</em> src=x onerror=alert(1)&gt;'],
            module: ['<em>P9</em>-B'],
            'host.hostname': ['PC-<em>012</em>'],
          },
        })}
      />,
    )
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['P9', '<img', '012'])
    expect(cells().at(-1)?.textContent).toBe(`${evil}Host: PC-012`)
    expect(document.querySelector('img')).toBeNull()
  })

  it('shows 64 kB when asked to', async () => {
    render(<Line hit={aLogHit({ message: 'x'.repeat(64_000) })} />)
    expect(cells().at(-1)?.textContent.length).toBeLessThan(500)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 64,000 characters' }))
    expect(cells().at(-1)?.textContent).toBe(`${'x'.repeat(64_000)}Show less`)
  })

  it('marks errors and warnings by shape as well as by colour, whatever the machine calls them', () => {
    for (const [level, hasShape] of [
      ['ERROR', true],
      ['Critical', true],
      ['Warning', true],
      ['Information', false],
    ] as const) {
      render(<Line hit={aLogHit({ 'log.level': level })} />)
      expect(document.querySelector('[data-tone] svg') !== null, level).toBe(hasShape)
      cleanup()
    }
  })
})

describe('log copy', () => {
  const hit = aLogHit({
    at: '2026-11-20T14:02:07.045Z',
    message: '=1+1 <b>',
    module: null,
    'winlog.user.name': 'ada',
    highlight: { message: ['=1+1 &lt;<em>b</em>&gt;'] },
  })

  it('copies a line as it was written, with its instant and the fields of its log', () => {
    expect(copiedLine(hit, logColumns.VID)).toBe('2026-11-20T14:02:07.045Z  INFO  -  VID-100  =1+1 <b>')
    expect(copiedLines([hit, hit], logColumns.VID).split('\n')).toHaveLength(3)
  })
})

const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString()

const line = (at: string, id: number) => aLogHit({ id, at })

const page = (times: string[], over: Partial<LogPage> = {}): LogPage => ({
  lines: times.map(line),
  hasOlder: false,
  hasNewer: false,
  completeFrom: null,
  total: times.length,
  ...over,
})

const words = (rows: ReturnType<typeof logRows>) =>
  rows.map((row) => (row.kind === 'line' ? row.hit._source.message : `${row.kind} ${new Date(row.at).getDate()}`))

describe('rows of the viewer', () => {
  it('name the day above its first line, and the moment of the event between two lines', () => {
    const times = [local(2026, 10, 19, 23, 59), local(2026, 10, 20, 0, 1), local(2026, 10, 20, 14)]
    expect(words(logRows(page(times), local(2026, 10, 20, 12)))).toEqual([
      ...['day 19', 'line 0', 'day 20', 'line 1', 'moment 20', 'line 2'],
    ])
  })

  it('put the moment into its own day', () => {
    const times = [local(2026, 10, 19, 23, 59), local(2026, 10, 20, 14)]
    expect(words(logRows(page(times), local(2026, 10, 20, 0, 0, 1)))).toEqual([
      ...['day 19', 'line 0', 'day 20', 'moment 20', 'line 1'],
    ])
  })

  it('name the day again where its clocks change, each time with the offset of the lines below', () => {
    vi.stubEnv('TZ', 'Europe/Stockholm')
    onTestFinished(() => void vi.unstubAllEnvs())
    const times = ['2026-10-25T00:10:00Z', '2026-10-25T00:50:00Z', '2026-10-25T01:10:00Z', '2026-10-25T09:00:00Z']
    const rows = logRows(page(times), null)
    expect(words(rows)).toEqual(['day 25', 'line 0', 'line 1', 'day 25', 'line 2', 'line 3'])
    const zones = rows.filter(({ kind }) => kind === 'day').map(({ at }) => formatZone(new Date(at)))
    expect(zones).toEqual(['Europe/Stockholm (UTC+2)', 'Europe/Stockholm (UTC+1)'])
  })

  it('put it before the lines of its very instant, and leave it out where lines in between are not read', () => {
    const at = local(2026, 10, 20, 14)
    expect(words(logRows(page([at, at]), at))).toEqual(['day 20', 'moment 20', 'line 0', 'line 1'])
    expect(words(logRows(page([at, at], { hasOlder: true }), at))).toEqual(['day 20', 'line 0', 'line 1'])
    expect(words(logRows(page([at]), null))).toEqual(['day 20', 'line 0'])
    expect(words(logRows(page([]), null))).toEqual([])
  })
})

describe('how many there are', () => {
  const at = local(2026, 10, 20)

  it('is shown with the number of visible ones', () => {
    expect(countLabel(page([at, at], { total: 128 }), '')).toBe('2 of 128 log lines')
    expect(countLabel(page([at]), '')).toBe('1 log line')
    expect(countLabel(page([at, at]), 'pump')).toBe('2 matches')
    expect(countLabel(page([at], { total: 10_000 }), 'pump')).toBe('1 of 10,000+ matches')
  })
})
