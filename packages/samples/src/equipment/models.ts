import type { InstrumentType } from './instrument-type.ts'

/** A product as listed in the registry. */
export interface Model {
  type: InstrumentType
  product: string
  /** Prefix of the system names that laboratories use. */
  prefix: string
  /** Share of the fleet: many bench instruments, few production skids. */
  weight: number
}

export const models: readonly Model[] = [
  { type: 'AKTAAvant', product: 'ÄKTA avant 25', prefix: 'AVANT', weight: 13 },
  { type: 'AKTAAvant', product: 'ÄKTA avant 150', prefix: 'AVANT', weight: 9 },
  { type: 'AKTAPure', product: 'ÄKTA pure 25', prefix: 'PURE', weight: 15 },
  { type: 'AKTAPure', product: 'ÄKTA pure 150', prefix: 'PURE', weight: 9 },
  { type: 'AKTAGo', product: 'ÄKTA go', prefix: 'GO', weight: 9 },
  { type: 'Wave25', product: 'WAVE 25', prefix: 'WAVE', weight: 7 },
  { type: 'Wave25', product: 'Xuri Cell Expansion System W25', prefix: 'XURI', weight: 4 },
  { type: 'AKTAPilot600', product: 'ÄKTA pilot 600', prefix: 'PILOT', weight: 6 },
  { type: 'AKTAPilot', product: 'ÄKTA pilot', prefix: 'PILOT', weight: 3 },
  { type: 'AKTAOligosynt', product: 'ÄKTA oligosynt', prefix: 'OLIGO', weight: 2.5 },
  { type: 'AKTAProcess', product: 'ÄKTA process 10 mm', prefix: 'PROC', weight: 2.5 },
  { type: 'AKTAProcessCFG', product: 'ÄKTA process CFG', prefix: 'PROC', weight: 2 },
  { type: 'AKTAReady', product: 'ÄKTA ready', prefix: 'READY', weight: 3 },
  { type: 'AKTAReadyXL', product: 'ÄKTA ready XL', prefix: 'READY', weight: 2 },
  { type: 'AKTAReady450', product: 'ÄKTA ready 450', prefix: 'READY', weight: 2 },
  { type: 'AKTAReadyFlux', product: 'ÄKTA readyflux', prefix: 'FLUX', weight: 3 },
  { type: 'AKTAReadyFluxXL', product: 'ÄKTA readyflux XL', prefix: 'FLUX', weight: 2 },
  { type: 'UniFlux', product: 'UniFlux 30', prefix: 'UFX', weight: 2.5 },
  { type: 'BioProcessIC', product: 'BioProcess IC', prefix: 'BPIC', weight: 2.5 },
]

const GOLDEN = 0.618_033_988_749_895
const total = models.reduce((sum, { weight }) => sum + weight, 0)

/**
 * Returns the model of the fleet's n-th instrument. Spread by the golden ratio instead of drawn, so that any sixty
 * neighbours, such as those of one customer, contain the whole mix; a draw would only do so on average.
 */
export function modelAt(index: number, start: number): Model {
  let left = ((start + index * GOLDEN) % 1) * total
  const found = models.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  return found ?? (models[0] as Model)
}
