import type { LogHit } from '@benchwatch/contract/logs'
import { aLogHit } from '@benchwatch/samples/log-hit'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { logColumns } from '../log-line.tsx'
import { copiedLine, copiedLines, LogLine } from './log-lines.tsx'

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
  it('shows what fits its log, and a dash for what is missing', () => {
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

  it('tells errors and warnings by shape as well as by colour, whatever the machine calls them', () => {
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
