import type { SeededRandom } from '../seeded-random.ts'

/** A method of an instrument: a typical name, and its parts with their share of the time. */
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
const synthesis = [
  { name: 'Column swelling', share: 0.5 },
  { name: 'Detritylation and coupling', share: 6 },
  { name: 'Thiolation and capping', share: 3 },
  { name: 'Backbone deprotection', share: 1 },
] as const
const crossflow = [
  { name: 'Flush', share: 0.7 },
  { name: 'Product fill', share: 0.5 },
  { name: 'Concentration', share: 3 },
  { name: 'Diafiltration', share: 3 },
  { name: 'Recovery', share: 0.8 },
] as const
const waterFlux = [
  { name: 'Installation test', share: 1 },
  { name: 'Normalised water permeability', share: 2 },
] as const

export const benchMethods: readonly Method[] = [
  { name: 'mAb capture', hours: [1.5, 5], blocks: capture },
  { name: 'His-tag affinity', hours: [1, 3], blocks: capture },
  { name: 'ProA scouting CV', hours: [2, 9], blocks: capture },
  { name: 'AEX polish', hours: [1, 4], blocks: gradient },
  { name: 'CEX gradient', hours: [1, 4], blocks: gradient },
  { name: 'HIC screening', hours: [2, 7], blocks: gradient },
  { name: 'SEC 26/600', hours: [2, 6], blocks: isocratic },
  { name: 'Desalting HiPrep', hours: [0.4, 1], blocks: desalting },
]

export const routineMethods: readonly Method[] = [
  { name: 'GST affinity', hours: [0.8, 2], blocks: capture },
  { name: 'His-tag affinity', hours: [0.8, 2], blocks: capture },
  { name: 'SEC 10/300', hours: [0.7, 1.5], blocks: isocratic },
  { name: 'Desalting HiTrap', hours: [0.2, 0.6], blocks: desalting },
  { name: 'IEX gradient', hours: [0.8, 2], blocks: gradient },
]

export const pilotMethods: readonly Method[] = [
  { name: 'mAb capture', hours: [4, 11], blocks: capture },
  { name: 'CEX intermediate batch', hours: [4, 10], blocks: gradient },
  { name: 'AAV8 affinity', hours: [3, 8], blocks: capture },
  { name: 'Plasma IgG step 2', hours: [5, 12], blocks: capture },
  { name: 'Column packing test', hours: [1, 3], blocks: packing },
]

export const productionMethods: readonly Method[] = [
  { name: 'Capture batch', hours: [6, 14], blocks: capture },
  { name: 'Polish batch', hours: [5, 10], blocks: capture },
  { name: 'Viral clearance AEX', hours: [4, 8], blocks: capture },
  { name: 'Column packing', hours: [2, 4], blocks: packing },
]

export const synthesisMethods: readonly Method[] = [
  { name: 'ASO 20-mer PS', hours: [6, 12], blocks: synthesis },
  { name: 'siRNA sense strand', hours: [7, 13], blocks: synthesis },
  { name: 'siRNA antisense strand', hours: [7, 13], blocks: synthesis },
  { name: 'Gapmer screening', hours: [4, 8], blocks: synthesis },
]

export const crossflowMethods: readonly Method[] = [
  { name: 'mAb UF/DF', hours: [3, 8], blocks: crossflow },
  { name: 'Plasmid concentration', hours: [2, 6], blocks: crossflow },
  { name: 'AAV formulation', hours: [3, 7], blocks: crossflow },
  { name: 'Membrane NWP', hours: [0.8, 1.5], blocks: waterFlux },
]

export const suiteRecipes: readonly Method[] = [
  {
    name: 'Buffer preparation',
    hours: [2, 6],
    blocks: [
      { name: 'Fill', share: 1 },
      { name: 'Dose salts', share: 1 },
      { name: 'Mix and adjust pH', share: 2 },
      { name: 'Transfer', share: 1 },
    ],
  },
  {
    name: 'Skid CIP',
    hours: [1.5, 4],
    blocks: [
      { name: 'Pre-rinse', share: 1 },
      { name: 'Caustic', share: 2 },
      { name: 'Final rinse', share: 1 },
    ],
  },
  {
    name: 'Hold tank transfer',
    hours: [1, 5],
    blocks: [
      { name: 'Route check', share: 0.3 },
      { name: 'Transfer', share: 3 },
      { name: 'Line blow-out', share: 0.5 },
    ],
  },
]

const cultures: readonly string[] = [
  'CHO-K1 seed',
  'HEK293 N-1',
  'T cell expansion',
  'Sf9 baculo',
  'NK expansion',
  'CHO DG44 seed',
]

/** Returns a method with a running number, as operators save their variants. */
export function aMethod(methods: readonly Method[], random: SeededRandom): Method {
  const method = random.pick(methods)
  return { ...method, name: `${method.name} ${random.integer(1, 40)}` }
}

/** Returns the name of a culture on a WAVE 25. */
export function aCulture(random: SeededRandom): string {
  return `${random.pick(cultures)} ${random.integer(1, 90)}`
}
