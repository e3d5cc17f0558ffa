import { describe, expect, it } from 'vitest'
import { measuredIn } from './alarm-story.ts'

describe('what the detail of an alarm measures', () => {
  it('is a quantity that changes within minutes, its value and its limit', () => {
    expect(measuredIn('Pre-column pressure 6.4 MPa, limit 6.0 MPa, during method run “CV 25”.')).toEqual({
      what: 'Pre-column pressure',
      unit: 'MPa',
      value: 6.4,
      limit: 6,
      decimals: 1,
    })
    expect(measuredIn('Flow 180 l/h, set point 480 l/h, in “Capture 2”.')).toMatchObject({ value: 180, limit: 480 })
    expect(measuredIn('Level 12 %, minimum 20 %, in “Buffer”.')).toMatchObject({ what: 'Level', unit: '%' })
  })

  it('is empty if a lamp ages, a culture is named, or there is no limit', () => {
    expect(measuredIn('Lamp intensity 50 % at 280 nm after 2400 lamp hours, threshold 60 %.')).toBeUndefined()
    expect(measuredIn('Culture “CHO 14” at 38.4 °C, limit 38.0 °C.')).toBeUndefined()
    expect(measuredIn('Flow 1.2 l/h past closed valve XV-204 in “Capture”.')).toBeUndefined()
    expect(measuredIn('')).toBeUndefined()
  })
})
