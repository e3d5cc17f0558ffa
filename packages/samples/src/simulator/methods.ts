import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '../seeded-random.ts'

/** What is run on an instrument: a name as operators give it, and its parts with their share of the time. */
export interface Method {
  name: string
  hours: readonly [number, number]
  blocks: readonly { name: string; share: number }[]
}

const capture = [
  { name: 'Equilibration', share: 1 },
  { name: 'Sample application', share: 3 },
  { name: 'Wash out unbound', share: 1.5 },
  { name: 'Elution', share: 2 },
  { name: 'Cleaning in place', share: 1 },
] as const
const gradient = [
  { name: 'Equilibration', share: 1 },
  { name: 'Sample application', share: 1 },
  { name: 'Linear gradient 0–100 % B', share: 4 },
  { name: 'Strip', share: 1 },
] as const
const isocratic = [
  { name: 'Equilibration', share: 2 },
  { name: 'Isocratic elution', share: 5 },
] as const
const desalting = [
  { name: 'Column fill', share: 1 },
  { name: 'Desalting', share: 2 },
] as const
const packing = [
  { name: 'Packing', share: 3 },
  { name: 'Column efficiency test', share: 1 },
] as const

const bench: readonly Method[] = [
  { name: 'mAb capture', hours: [1.5, 5], blocks: capture },
  { name: 'His-tag affinity', hours: [1, 3], blocks: capture },
  { name: 'ProA scouting CV', hours: [2, 9], blocks: capture },
  { name: 'AEX polish', hours: [1, 4], blocks: gradient },
  { name: 'CEX gradient', hours: [1, 4], blocks: gradient },
  { name: 'HIC screening', hours: [2, 7], blocks: gradient },
  { name: 'SEC 26/600', hours: [2, 6], blocks: isocratic },
  { name: 'Desalting HiPrep', hours: [0.4, 1], blocks: desalting },
]

const pilot: readonly Method[] = [
  { name: 'mAb capture', hours: [4, 11], blocks: capture },
  { name: 'CEX intermediate batch', hours: [4, 10], blocks: gradient },
  { name: 'AAV8 affinity', hours: [3, 8], blocks: capture },
  { name: 'Plasma IgG step 2', hours: [5, 12], blocks: capture },
  { name: 'Column packing test', hours: [1, 3], blocks: packing },
]

const cultures: readonly string[] = [
  'CHO-K1 seed',
  'HEK293 N-1',
  'T cell expansion',
  'Sf9 baculo',
  'NK expansion',
  'CHO DG44 seed',
]

export function aMethod(type: InstrumentType, random: SeededRandom): Method {
  const method = random.pick(type === 'AKTAPilot600' || type === 'AKTAPilot' ? pilot : bench)
  return { ...method, name: `${method.name} ${random.integer(1, 40)}` }
}

/** Name of a culture on a WAVE 25. */
export function aCulture(random: SeededRandom): string {
  return `${random.pick(cultures)} ${random.integer(1, 90)}`
}
