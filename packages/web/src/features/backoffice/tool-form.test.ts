import { describe, expect, it } from 'vitest'
import { formInstant, wallClockOf } from './tool-form.tsx'

describe('a time of a form', () => {
  it('is the wall clock of the viewer, and an instant on the wire', () => {
    const at = new Date(2026, 10, 20, 14, 2, 23)
    expect(wallClockOf(at)).toBe('2026-11-20T14:02:23')
    expect(formInstant('2026-11-20T14:02:23')).toBe(at.toISOString())
  })

  it('may be without seconds, as browsers write it', () => {
    expect(formInstant('2026-11-20T14:02')).toBe(new Date(2026, 10, 20, 14, 2).toISOString())
  })

  it('that is empty or none stays as it is, so that the rules of the form name it', () => {
    expect(formInstant('')).toBe('')
    expect(formInstant('soon')).toBe('soon')
  })
})
