import { readFileSync } from 'node:fs'
import { instrumentStatusColours, type StatusColour } from '@benchwatch/contract/vocabulary'
import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InstrumentStatusDot } from './instrument-status-dot.tsx'

const source = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const look = source('./instrument-status-dot.module.css')
/** Returns the light and the dark value of a token. */
const themes = (token: string) =>
  [...source('../../ui/tokens.css').matchAll(new RegExp(`${token}: (#[0-9a-f]{6});`, 'g'))].map(([, hex]) => hex ?? '')

/** Returns the name of a colour by its hue in degrees; grey if it is hardly saturated. */
function nameOf(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (range / most < 0.35) return 'grey'
  const sixth =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const hue = (sixth * 60 + 360) % 360
  if (hue < 15 || hue > 345) return 'red'
  if (hue < 40) return 'orange'
  if (hue < 60) return 'yellow'
  return hue < 170 ? 'green' : 'blue'
}

afterEach(cleanup)

it.each(Object.entries(instrumentStatusColours))('the indicator of %s is %s', (status, colour) => {
  render(<InstrumentStatusDot status={status as keyof typeof instrumentStatusColours} />)
  expect(screen.getByRole('img', { name: `Instrument status: ${status}` }).dataset['colour']).toBe(colour)
})

const coloured: StatusColour[] = ['green', 'grey', 'blue', 'yellow', 'orange', 'red', 'lightgrey']

it.each(coloured)('%s is that colour, on light and on dark ground', (colour) => {
  const token = `--bw-status-${colour}`
  expect(look).toMatch(new RegExp(`\\.dot\\[data-colour="${colour}"\\] \\{[^}]*var\\(${token}\\)`))
  const grounds = themes(token)
  expect(grounds).toHaveLength(2)
  expect(grounds.map(nameOf)).toEqual(grounds.map(() => colour.replace('light', '')))
})

it('unknown statuses use a different icon', () => {
  render(<InstrumentStatusDot status="Unknown" />)
  expect(screen.getByRole('img').textContent).toBe('?')
  cleanup()
  render(<InstrumentStatusDot status="ready" />)
  expect(screen.getByRole('img').textContent).toBe('')
})

describe('beside the dot', () => {
  const NOW = Date.parse('2026-11-20T15:00:00.000Z')
  const lost = { unknownAt: '2026-11-20T12:00:00.000Z', instrumentTimeZone: 'Asia/Tokyo' }
  const show = (props: Parameters<typeof InstrumentStatusDot>[0]) => {
    cleanup()
    render(
      <MantineProvider env="test">
        <InstrumentStatusDot {...props} />
      </MantineProvider>,
    )
  }
  beforeEach(() => void vi.useFakeTimers({ now: NOW }))
  afterEach(() => void vi.useRealTimers())

  it('says the status in words where there is room', () => {
    show({ status: 'wash', lost: { ...lost, unknownAt: null } })
    expect(screen.getByText('wash')).toBeTruthy()
    expect(screen.queryByRole('time')).toBeNull()
    show({ status: 'wash', orcStatus: 'Edge Issue', lost })
    expect(screen.queryByText('wash')).toBeNull()
    expect(screen.getByText('not monitored')).toBeTruthy()
  })

  it('says how long the connection has been lost, live, and the moment in both zones', () => {
    show({ status: 'disconnected', orcStatus: 'Disconnected', lost })
    const time = screen.getByText('3 h')
    expect(time.title).toMatch(/At the instrument: Nov 20, 2026 @ 21:00 .Asia.Tokyo.$/)
    act(() => void vi.advanceTimersByTime(3_600_000))
    expect(time.textContent).toBe('4 h')
  })

  it('stops counting at the last confirmation', () => {
    show({ status: 'disconnected', orcStatus: 'Disconnected', asOf: NOW - 3_600_000, lost })
    expect(screen.getByText('2 h')).toBeTruthy()
  })
})
