import { describe, expect, it } from 'vitest'
import { isGoingOn, isWithin, windowOfEvent } from './log-window.ts'

const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString()
const moment = local(2026, 10, 20, 14, 2, 7)

describe('the time with which logs of an event open', () => {
  it('is the whole day on the page of the event', () => {
    expect(windowOfEvent(moment, 'details')).toEqual({ from: local(2026, 10, 20), to: local(2026, 10, 21) })
  })

  it('is the previous day to two seconds after the event otherwise', () => {
    expect(windowOfEvent(moment, 'row')).toEqual({ from: local(2026, 10, 19), to: local(2026, 10, 20, 14, 2, 9) })
  })

  it('holds its beginning and not its end', () => {
    const window = windowOfEvent(moment, 'details')
    expect([window.from, moment, window.to].map((instant) => isWithin(window, instant))).toEqual([true, true, false])
  })

  it('goes on as long as its end has not come', () => {
    const window = windowOfEvent(moment, 'details')
    expect(isGoingOn(window, Date.parse(moment))).toBe(true)
    expect(isGoingOn(window, Date.parse(window.to))).toBe(false)
  })
})
