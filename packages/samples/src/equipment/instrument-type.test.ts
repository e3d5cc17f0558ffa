import { describe, expect, it } from 'vitest'
import { instrumentFamilies, instrumentTypeLabels, instrumentTypes } from './instrument-type.ts'

describe('instruments', () => {
  it('are of sixteen types', () => {
    const line =
      'Wave25, AKTAAvant, AKTAPure, AKTAPilot600, AKTAPilot, AKTAOligosynt, AKTAGo, AKTAProcessCFG, AKTAProcess, AKTAReady, AKTAReadyXL, AKTAReadyFlux, AKTAReadyFluxXL, UniFlux, BioProcessIC, AKTAReady450'
    expect(instrumentTypes).toEqual(line.split(', '))
  })

  it('of a type read as their family, WAVE 25 as Wave 25/Xuri, with the size or kind where a family has several', () => {
    const families = Object.fromEntries(instrumentFamilies.map(({ family, types }) => [family, types]))
    const names =
      'WAVE 25, ÄKTA avant, ÄKTA pure, ÄKTA pilot, ÄKTA oligosynt, ÄKTA go, ÄKTA process, ÄKTA ready, ÄKTA readyflux, UniFlux, BioProcess IC'
    expect(Object.keys(families)).toEqual(names.split(', '))
    expect(Object.values(families).flat().sort()).toEqual([...instrumentTypes].sort())
    const { Wave25, ...labels } = instrumentTypeLabels
    expect(Wave25).toBe('Wave 25/Xuri')
    for (const [family, [first, ...others]] of Object.entries(families).slice(1)) {
      expect(labels[first as keyof typeof labels]).toBe(family)
      for (const type of others) expect(labels[type as keyof typeof labels]).toMatch(`${family} `)
    }
    expect(new Set(Object.values(labels)).size).toBe(15)
  })
})

describe('a family of instruments', () => {
  it('contains the types of the wire, in its order', () => {
    const line =
      'WAVE 25 = Wave25 · ÄKTA avant = AKTAAvant · ÄKTA pure = AKTAPure · ÄKTA pilot = AKTAPilot, AKTAPilot600 · ÄKTA oligosynt = AKTAOligosynt · ÄKTA go = AKTAGo · ÄKTA process = AKTAProcess, AKTAProcessCFG · ÄKTA ready = AKTAReady, AKTAReadyXL, AKTAReady450 · ÄKTA readyflux = AKTAReadyFlux, AKTAReadyFluxXL · UniFlux = UniFlux · BioProcess IC = BioProcessIC'
    const written = instrumentFamilies.map(({ family, types }) => `${family} = ${types.join(', ')}`)
    expect(written.join(' · ')).toBe(line)
  })
})
