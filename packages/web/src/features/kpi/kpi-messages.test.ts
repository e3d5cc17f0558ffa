import { describe, expect, it } from 'vitest'
import { frameAddress, passIn, readFragment, readToConsole, readToDashboard } from './kpi-messages.ts'
import type { KpiQuestion } from './kpi-question.ts'

const expiresAt = '2026-11-20T12:05:00.000Z'
const question: KpiQuestion = { range: { days: 7 }, customers: ['Helix & Söhne #1'] }

describe('the address of a frame', () => {
  it('gives the built-in dashboard its question and the end of its token, which the frame reads', () => {
    const address = frameAddress('/kpi-embed/#token=a.b-c_d', { expiresAt, question })
    expect(address.split('#')[0]).toBe('/kpi-embed/')
    expect(readFragment(address.slice(address.indexOf('#')))).toEqual({
      pass: { token: 'a.b-c_d', expiresAt: Date.parse(expiresAt) },
      question,
    })
  })

  it('stays as it is for other dashboards', () => {
    for (const address of ['https://boards.example/d/7#token=x', '/other/#token=x']) {
      expect(frameAddress(address, { expiresAt, question })).toBe(address)
    }
  })

  it('may hold nothing', () => {
    expect(readFragment('')).toEqual({ pass: null, question: { range: { days: 30 }, customers: [] } })
    expect(readFragment('#token=abc').pass).toEqual({ token: 'abc', expiresAt: Number.POSITIVE_INFINITY })
    expect(passIn('https://boards.example/', expiresAt)).toBeNull()
  })
})

describe('messages', () => {
  it('of the frame are those that it has', () => {
    expect(readToConsole({ kind: 'kpi-pass-wanted', more: 1 })).toEqual({ kind: 'kpi-pass-wanted' })
    expect(readToConsole({ kind: 'kpi-asked', search: { days: '7', customers: '["Helix & Söhne #1"]' } })).toEqual({
      kind: 'kpi-asked',
      question,
    })
    expect(readToConsole({ kind: 'kpi-events', search: { start: '2026-11-01', page: 2, filters: { a: 1 } } })).toEqual({
      kind: 'kpi-events',
      search: { start: '2026-11-01' },
    })
    for (const other of [null, 'kpi-asked', {}, { kind: 'kpi-theme' }, { kind: 'help-place' }]) {
      expect(readToConsole(other)).toBeNull()
    }
  })

  it('of the console are those that it has', () => {
    expect(readToDashboard({ kind: 'kpi-theme', theme: 'dark' })).toEqual({ kind: 'kpi-theme', theme: 'dark' })
    expect(readToDashboard({ kind: 'kpi-pass', pass: { token: 'x', expiresAt: 5 } })).toEqual({
      kind: 'kpi-pass',
      pass: { token: 'x', expiresAt: 5 },
    })
    expect(readToDashboard({ kind: 'kpi-pass', pass: null })).toEqual({ kind: 'kpi-pass', pass: null })
    expect(readToDashboard({ kind: 'kpi-question', search: 'nonsense' })).toEqual({
      kind: 'kpi-question',
      question: { range: { days: 30 }, customers: [] },
    })
    for (const other of [undefined, 7, {}, { kind: 'kpi-asked' }]) expect(readToDashboard(other)).toBeNull()
  })
})
