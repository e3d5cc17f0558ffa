import { COMPONENT_MODULE, TEMPLATE_ID } from '@benchwatch/contract/patterns'
import { describe, expect, it } from 'vitest'
import { eventTemplates, faultsByType } from './event-templates.ts'
import { templateIdOf } from './faults/fault.ts'
import { seededRandom } from './seeded-random.ts'
import { fillDetail } from './simulator/detail.ts'

const families = Object.entries(faultsByType)

describe.each(families)('faults of %s', (_type, faults) => {
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

  it('show in every situation, so that no phase of the simulator is without', () => {
    expect(new Set(faults.flatMap(({ during }) => during)).size).toBeGreaterThanOrEqual(3)
    expect(faults.some(({ during }) => during.includes('idle'))).toBe(true)
    expect(faults.some(({ during }) => during.includes('run'))).toBe(true)
  })

  it('leave no placeholder open when they are told', () => {
    const random = seededRandom('details')
    for (const { detail } of faults) {
      if (detail === undefined) continue
      expect(fillDetail(detail, random, 'mAb capture 14')).not.toMatch(/[{}]/)
    }
  })
})

describe('event templates', () => {
  it('name a fault by module and error code', () => {
    expect(templateIdOf({ component: 'Pump B (P9-B)', errorCode: 1042 })).toBe('P9B-1042')
    expect(templateIdOf({ component: 'Air sensor (L9-1.5)', errorCode: 3104 })).toBe('L915-3104')
    expect(() => templateIdOf({ component: 'Pump', errorCode: 1 })).toThrow('does not end with its module')
  })

  it('hold an ordered list to try and a paragraph that cures', () => {
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
