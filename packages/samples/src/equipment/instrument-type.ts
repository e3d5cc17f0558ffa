import type { InstrumentTypes } from '@benchwatch/contract/instruments/instruments'

/** The instrument types and families that a new installation knows: document 1 section 4, wire 3. */

export const instrumentTypes = [
  'Wave25',
  'AKTAAvant',
  'AKTAPure',
  'AKTAPilot600',
  'AKTAPilot',
  'AKTAOligosynt',
  'AKTAGo',
  'AKTAProcessCFG',
  'AKTAProcess',
  'AKTAReady',
  'AKTAReadyXL',
  'AKTAReadyFlux',
  'AKTAReadyFluxXL',
  'UniFlux',
  'BioProcessIC',
  'AKTAReady450',
] as const
export type InstrumentType = (typeof instrumentTypes)[number]
export const instrumentTypeLabels: Record<InstrumentType, string> = {
  Wave25: 'Wave 25/Xuri',
  AKTAAvant: 'ÄKTA avant',
  AKTAPure: 'ÄKTA pure',
  AKTAPilot600: 'ÄKTA pilot 600',
  AKTAPilot: 'ÄKTA pilot',
  AKTAOligosynt: 'ÄKTA oligosynt',
  AKTAGo: 'ÄKTA go',
  AKTAProcessCFG: 'ÄKTA process CFG',
  AKTAProcess: 'ÄKTA process',
  AKTAReady: 'ÄKTA ready',
  AKTAReadyXL: 'ÄKTA ready XL',
  AKTAReadyFlux: 'ÄKTA readyflux',
  AKTAReadyFluxXL: 'ÄKTA readyflux XL',
  UniFlux: 'UniFlux',
  BioProcessIC: 'BioProcess IC',
  AKTAReady450: 'ÄKTA ready 450',
}

/** Families in the order of the tabs, with their instrument types (wire 3). */
export const instrumentFamilies = [
  { family: 'WAVE 25', types: ['Wave25'] },
  { family: 'ÄKTA avant', types: ['AKTAAvant'] },
  { family: 'ÄKTA pure', types: ['AKTAPure'] },
  { family: 'ÄKTA pilot', types: ['AKTAPilot', 'AKTAPilot600'] },
  { family: 'ÄKTA oligosynt', types: ['AKTAOligosynt'] },
  { family: 'ÄKTA go', types: ['AKTAGo'] },
  { family: 'ÄKTA process', types: ['AKTAProcess', 'AKTAProcessCFG'] },
  { family: 'ÄKTA ready', types: ['AKTAReady', 'AKTAReadyXL', 'AKTAReady450'] },
  { family: 'ÄKTA readyflux', types: ['AKTAReadyFlux', 'AKTAReadyFluxXL'] },
  { family: 'UniFlux', types: ['UniFlux'] },
  { family: 'BioProcess IC', types: ['BioProcessIC'] },
] as const satisfies readonly { family: string; types: readonly InstrumentType[] }[]

/** As the server returns them. */
export const seededTypes: InstrumentTypes = {
  families: instrumentFamilies.map(({ family: key }) => ({ key, label: key === 'WAVE 25' ? 'WAVE 25/Xuri' : key })),
  types: instrumentFamilies.flatMap(({ family, types }) =>
    types.map((key) => ({ key, label: instrumentTypeLabels[key], family })),
  ),
}
