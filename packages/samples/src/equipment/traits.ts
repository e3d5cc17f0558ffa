import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '../seeded-random.ts'
import {
  benchMethods,
  crossflowMethods,
  type Method,
  pilotMethods,
  productionMethods,
  routineMethods,
  suiteRecipes,
  synthesisMethods,
} from '../simulator/methods.ts'
import type { InstrumentType } from './instrument-type.ts'

/** The differences between instrument types; everything else is in their common script. */
export interface Traits {
  /** The controller: UNICORN with methods, its own control unit with cultures, or a control system with recipes. */
  led: 'UNICORN' | 'culture' | 'recipe'
  methods: readonly Method[]
  /** Share of runs that are operated manually. */
  manualShare: number
  /** Liquids for washing or flushing between runs. */
  washes: readonly string[]
  /** Returns a line of readings for the service log. */
  readings(random: SeededRandom): string
  logs: readonly LogType[]
  /** Control unit and configuration file of UNICORN; null for instruments without UNICORN. */
  unicorn: { unit: string; config: string } | null
  /** Run time of an ordinary week in hours, measured over 90 days of simulation. */
  weeklyHours: number
}

/** Returns chromatography readings: pressure up to a maximum in MPa, flow in the unit of its size. */
function curves(size: { pressure: number; flow: readonly [number, number]; unit: 'ml/min' | 'l/h' }) {
  return (random: SeededRandom) => {
    const pressure = random.between(0.05 * size.pressure, size.pressure).toFixed(2)
    const flow = random.between(...size.flow).toFixed(size.flow[1] < 200 ? 1 : 0)
    return `PreC pressure ${pressure} MPa, UV 280 nm ${random.between(0.4, 940).toFixed(1)} mAU, Cond ${random.between(1.2, 88).toFixed(1)} mS/cm, Flow ${flow} ${size.unit}`
  }
}

/** Returns cross-flow filtration readings: transmembrane pressure and both flows. */
function crossflowCurves(flow: readonly [number, number]) {
  return (random: SeededRandom) =>
    `TMP ${random.between(0.04, 0.14).toFixed(3)} MPa, Feed ${random.integer(...flow)} l/h, Permeate ${random.integer(Math.round(flow[0] / 8), Math.round(flow[1] / 8))} l/h, Retentate cond ${random.between(2, 40).toFixed(1)} mS/cm`
}

const cleaning = ['water', '20 % ethanol', '0.5 M NaOH'] as const
const flushing = ['water for injection', '0.5 M NaOH', '0.1 M NaOH with 250 ppm NaOCl'] as const

const bench: Traits = {
  led: 'UNICORN',
  methods: benchMethods,
  manualShare: 0.12,
  washes: cleaning,
  readings: curves({ pressure: 2.6, flow: [0.5, 24], unit: 'ml/min' }),
  logs: logTypes,
  unicorn: { unit: 'CU-960', config: 'AKTA avant' },
  weeklyHours: 34,
}
const pilot: Traits = {
  ...bench,
  methods: pilotMethods,
  manualShare: 0.08,
  readings: curves({ pressure: 1.4, flow: [80, 580], unit: 'ml/min' }),
  unicorn: { unit: 'CU-960', config: 'AKTA pilot 600' },
  weeklyHours: 49,
}
const production: Traits = {
  ...bench,
  methods: productionMethods,
  manualShare: 0.05,
  washes: flushing,
  readings: curves({ pressure: 0.6, flow: [60, 590], unit: 'l/h' }),
  unicorn: { unit: 'PCS-4 Gen 2', config: 'AKTA process' },
  weeklyHours: 53,
}
/** The flow path is a set of bags and tubing that is changed for each product. */
const singleUse: Traits = {
  ...production,
  readings: curves({ pressure: 0.4, flow: [40, 500], unit: 'l/h' }),
  unicorn: { unit: 'PCS-4 Gen 2', config: 'AKTA ready' },
}
const filtration: Traits = {
  ...production,
  methods: crossflowMethods,
  readings: crossflowCurves([80, 1_100]),
  unicorn: { unit: 'CU-960', config: 'AKTA readyflux' },
  weeklyHours: 40,
}

const config = (traits: Traits, name: string, unit?: string): Traits['unicorn'] =>
  traits.unicorn && { unit: unit ?? traits.unicorn.unit, config: name }

export const traitsByType: Readonly<Record<InstrumentType, Traits>> = {
  AKTAAvant: bench,
  AKTAPure: { ...bench, unicorn: config(bench, 'AKTA pure', 'CU-950') },
  AKTAGo: {
    ...bench,
    methods: routineMethods,
    manualShare: 0.3,
    readings: curves({ pressure: 3.8, flow: [0.2, 22], unit: 'ml/min' }),
    unicorn: config(bench, 'AKTA go', 'ICU-go'),
    weeklyHours: 17.5,
  },
  AKTAPilot600: pilot,
  AKTAPilot: { ...pilot, unicorn: config(pilot, 'AKTA pilot', 'CU-900') },
  AKTAOligosynt: {
    ...pilot,
    methods: synthesisMethods,
    manualShare: 0.04,
    washes: ['acetonitrile', 'toluene'],
    readings: (random) =>
      `Column pressure ${random.between(0.2, 1.1).toFixed(2)} MPa, UV 350 nm ${random.between(20, 1900).toFixed(0)} mAU, Flow ${random.between(10, 180).toFixed(0)} ml/min, Recirculation ${random.integer(1, 6)}`,
    unicorn: config(pilot, 'AKTA oligosynt'),
    weeklyHours: 60,
  },
  AKTAProcess: production,
  AKTAProcessCFG: { ...production, unicorn: config(production, 'AKTA process CFG') },
  AKTAReady: singleUse,
  AKTAReadyXL: {
    ...singleUse,
    readings: curves({ pressure: 0.4, flow: [150, 3_400], unit: 'l/h' }),
    unicorn: config(singleUse, 'AKTA ready XL'),
  },
  AKTAReady450: { ...singleUse, unicorn: config(singleUse, 'AKTA ready 450') },
  AKTAReadyFlux: filtration,
  AKTAReadyFluxXL: {
    ...filtration,
    readings: crossflowCurves([300, 3_900]),
    unicorn: config(filtration, 'AKTA readyflux XL'),
  },
  UniFlux: {
    ...filtration,
    readings: crossflowCurves([200, 2_900]),
    unicorn: config(filtration, 'UniFlux', 'PCS-4'),
  },
  Wave25: {
    led: 'culture',
    methods: [],
    manualShare: 0,
    washes: [],
    readings: (random) =>
      `Temperature ${random.between(36.8, 37.2).toFixed(1)} °C, pH ${random.between(6.95, 7.25).toFixed(2)}, DO ${random.integer(32, 68)} %, CO2 ${random.between(4.8, 5.3).toFixed(1)} %, Weight ${random.between(2.1, 22.6).toFixed(1)} kg`,
    logs: ['VID', 'AUDITTRAIL', 'EVENT', 'CONNECTIVITY'],
    unicorn: null,
    weeklyHours: 131,
  },
  BioProcessIC: {
    led: 'recipe',
    methods: suiteRecipes,
    manualShare: 0,
    washes: [],
    readings: (random) =>
      `Tank level ${random.integer(8, 94)} %, Temperature ${random.between(4.2, 24.8).toFixed(1)} °C, Transfer ${random.integer(60, 1400)} l/h, Agitator ${random.integer(30, 160)}/min`,
    logs: ['AUDITTRAIL', 'EVENT', 'CONNECTIVITY', 'WINDOWSSYSTEMEVENT'],
    unicorn: null,
    weeklyHours: 41,
  },
}
