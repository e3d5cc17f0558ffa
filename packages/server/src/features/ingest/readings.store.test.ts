import { expect, it } from 'vitest'
import { componentTypeOf } from './readings.store.ts'

it.each([
  ['Pump B (P9-B)', 'Pump'],
  ['Inlet valve A (V9-IA)', 'Inlet valve'],
  ['UV monitor (U9-M)', 'UV monitor'],
  ['Air sensor (L9-1.5)', 'Air sensor'],
  ['System pump A1 (P9-A1)', 'System pump'],
  ['Rocker 2', 'Rocker'],
  ['Pump', 'Pump'],
  ['B', 'B'],
  ['(P9-B)', '(P9-B)'],
  ['Conductivity monitor (C9)', 'Conductivity monitor'],
  ['pH', 'pH'],
  ['Valve (V9) extra', 'Valve (V9) extra'],
])('%s is of type %s', (name, type) => {
  expect(componentTypeOf(name)).toBe(type)
})

it('answers for a name of blanks as long as ingest takes', () => {
  const name = `Pump${' '.repeat(190)}(x`
  expect(componentTypeOf(name)).toBe(name)
})
