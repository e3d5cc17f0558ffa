import { COMPONENT_MODULE, TEMPLATE_ID } from '@benchwatch/contract/patterns'
import { describe, expect, it } from 'vitest'
import { type InstrumentType, instrumentTypes } from './equipment/instrument-type.ts'
import { traitsByType } from './equipment/traits.ts'
import { eventTemplates, faultsByType } from './event-templates.ts'
import { type Situation, templateIdOf } from './faults/fault.ts'
import { seededRandom } from './seeded-random.ts'
import { fillDetail } from './simulator/rig.ts'

const families = Object.entries(faultsByType)

describe.each(families)('faults of %s', (type, faults) => {
  it('are 12 to 18, of every severity and of both types', () => {
    expect(faults.length).toBeGreaterThanOrEqual(12)
    expect(faults.length).toBeLessThanOrEqual(18)
    expect(new Set(faults.map(({ severity }) => severity))).toEqual(new Set(['high', 'medium', 'low']))
    expect(new Set(faults.map(({ alertType }) => alertType))).toEqual(new Set([1, 2]))
  })

  it('have a template id of their own from module and error code, and a component that ends with its module', () => {
    const ids = faults.map(templateIdOf)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(TEMPLATE_ID)
    for (const { component } of faults) expect(component).toMatch(COMPONENT_MODULE)
  })

  it('occur in every situation that the script of the type reaches', () => {
    const situations: Record<string, readonly Situation[]> = {
      UNICORN: ['idle', 'starting', 'run', 'wash'],
      culture: ['idle', 'run'],
      recipe: ['idle', 'run'],
    }
    const { led } = traitsByType[type as InstrumentType]
    for (const situation of situations[led] ?? [])
      expect(
        faults.some(({ during }) => during.includes(situation)),
        situation,
      ).toBe(true)
  })

  it('leave no placeholder unfilled in their texts', () => {
    const random = seededRandom('details')
    for (const { detail } of faults) {
      if (detail === undefined) continue
      expect(fillDetail(detail, random, 'mAb capture 14')).not.toMatch(/[{}]/)
    }
  })
})

describe('event templates', () => {
  it('are there for every fault of each of the 16 types', () => {
    const faults = instrumentTypes.flatMap((type) =>
      faultsByType[type].map((fault) => `${type}/${templateIdOf(fault)}`),
    )
    expect(
      eventTemplates()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(faults.sort())
  })

  it('name a fault by module and error code', () => {
    expect(templateIdOf({ component: 'Pump B (P9-B)', errorCode: 1042 })).toBe('P9B-1042')
    expect(templateIdOf({ component: 'Air sensor (L9-1.5)', errorCode: 3104 })).toBe('L915-3104')
    expect(() => templateIdOf({ component: 'Pump', errorCode: 1 })).toThrow('does not end with its module')
  })

  it('have an ordered list of things to try and a paragraph with the remedy', () => {
    for (const { input } of eventTemplates()) {
      expect(input.troubleshooting).toMatch(/^<ol>(<li>[^<>]+<\/li>)+<\/ol>$/)
      expect(input.remedy).toMatch(/^<p>[^<>]+<\/p>$/)
      expect(input.description).not.toContain('{')
    }
  })

  it('fill a range with as many decimals as it is written with, and a method', () => {
    const random = seededRandom('fill')
    expect(fillDetail('{6.1-6.9} MPa', random, '')).toMatch(/^6\.[1-9] MPa$/)
    expect(fillDetail('{100-200} ml', random, '')).toMatch(/^1\d\d ml$/)
    expect(fillDetail('in “{method}”', random, 'SEC 2')).toBe('in “SEC 2”')
    expect(fillDetail('in “{method}”', random, '')).toBe('in “manual instructions”')
  })
})
