import {
  contactInput,
  contractInput,
  customerInput,
  eventTemplateInput,
  gatewayInput,
  instrumentInput,
  registryRoutes,
  siteInput,
} from '@benchwatch/contract/administration/registry'
import { EMAIL, FULL_SUPPORT_TERM } from '@benchwatch/contract/patterns'
import { fullSupportTerms } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { aFleet, demoSeed } from './fleet.ts'
import { postingsOf } from './simulator/postings.ts'
import { usageAt } from './simulator/usage.ts'

const fleet = aFleet({ seed: demoSeed })
const today = '2026-11-20'

describe('the fleet of the demo', () => {
  it('has twelve customers, one of them Helix Biologics, on four continents and more', () => {
    expect(fleet.customers).toHaveLength(12)
    expect(fleet.customers[0]).toEqual({ key: 'helix-biologics', input: { name: 'Helix Biologics' } })
    const continents = new Set(fleet.sites.map(({ input }) => input.timeZone.split('/')[0]))
    expect(continents).toEqual(new Set(['Europe', 'America', 'Asia', 'Australia']))
  })

  it('has about 60 sites, 70 gateways and 400 instruments, each instrument with an id of its own', () => {
    expect(fleet.sites.length).toBeGreaterThanOrEqual(56)
    expect(fleet.sites.length).toBeLessThanOrEqual(64)
    expect(fleet.gateways.length).toBeGreaterThanOrEqual(65)
    expect(fleet.gateways.length).toBeLessThanOrEqual(76)
    expect(fleet.instruments).toHaveLength(400)
    expect(new Set(fleet.instruments.map(({ key }) => key)).size).toBe(400)
  })

  it.each([
    ['customer', fleet.customers, customerInput],
    ['site', fleet.sites, siteInput],
    ['contract', fleet.contracts, contractInput],
    ['contact', fleet.contacts, contactInput],
    ['gateway', fleet.gateways, gatewayInput],
    ['instrument', fleet.instruments, instrumentInput],
  ] as const)('every %s is what the registry takes, under a key that its address takes', (kind, objects, schema) => {
    const address = registryRoutes[kind].put.params
    expect(objects.length).toBeGreaterThan(0)
    for (const { key, input } of objects) {
      expect(schema.safeParse(input).error?.issues, key).toBeUndefined()
      expect(schema.parse(input)).toEqual(input)
      expect(address?.safeParse({ key }).error?.issues, key).toBeUndefined()
    }
    expect(new Set(objects.map(({ key }) => key)).size).toBe(objects.length)
  })

  it('every event template is what the registry takes', () => {
    const address = registryRoutes.eventTemplate.put.params
    for (const { key, input } of fleet.eventTemplates) {
      expect(eventTemplateInput.parse(input)).toEqual(input)
      expect(address?.safeParse({ '*': key }).error?.issues, key).toBeUndefined()
    }
    expect(new Set(fleet.eventTemplates.map(({ key }) => key)).size).toBe(fleet.eventTemplates.length)
  })

  it('connects each instrument only with records of its own customer', () => {
    const customerOfSite = new Map(fleet.sites.map(({ key, input }) => [key, input.customer]))
    const customerOfContract = new Map(fleet.contracts.map(({ key, input }) => [key, input.customer]))
    const customerOfContact = new Map(fleet.contacts.map(({ key, input }) => [key, input.customer]))
    const siteOfGateway = new Map(fleet.gateways.map(({ key, input }) => [key, input.site]))
    for (const { key, input } of fleet.instruments) {
      const customer = customerOfSite.get(input.site)
      expect(customer, key).toBeDefined()
      if (input.gateway) expect(siteOfGateway.get(input.gateway)).toBe(input.site)
      if (input.contract) expect(customerOfContract.get(input.contract)).toBe(customer)
      if (input.contact) expect(customerOfContact.get(input.contact)).toBe(customer)
      if (input.itContact) expect(customerOfContact.get(input.itContact)).toBe(customer)
    }
  })

  it('has what real registers have: gaps, malformed addresses, contracts that have run out', () => {
    expect(fleet.sites.filter(({ input }) => input.latitude === null)).toHaveLength(2)
    expect(fleet.contacts.some(({ key }) => !EMAIL.test(key))).toBe(true)
    expect(fleet.contacts.some(({ input }) => input.phone === null)).toBe(true)
    expect(fleet.contacts.some(({ input }) => input.phone !== null && !/^\+[\d ]{8,}$/.test(input.phone))).toBe(true)
    expect(fleet.contracts.some(({ input }) => input.endDate !== null && input.endDate < today)).toBe(true)
    for (const optional of [
      'gateway',
      'contract',
      'contact',
      'itContact',
      'systemName',
      'building',
      'nextService',
    ] as const)
      expect(
        fleet.instruments.some(({ input }) => input[optional] === null),
        optional,
      ).toBe(true)
    expect(fleet.instruments.some(({ input }) => input.nextService !== null && input.nextService < today)).toBe(true)
  })

  it('has contracts whose terms apply in the country of the instrument, and telephone numbers of that country', () => {
    const siteOf = new Map(fleet.sites.map(({ key, input }) => [key, input]))
    const termOf = new Map(fleet.contracts.map(({ key, input }) => [key, input.slaTerm]))
    const phonesOf = new Map(fleet.contacts.map(({ key, input }) => [key, [input.phone, input.mobile]]))
    const codes: Record<string, string> = {
      ...{ Argentina: '+54', Australia: '+61', Austria: '+43', Belgium: '+32', Brazil: '+55', Chile: '+56' },
      ...{ China: '+86', Denmark: '+45', France: '+33', Germany: '+49', Ireland: '+353', Italy: '+39', Japan: '+81' },
      ...{ Netherlands: '+31', Poland: '+48', Spain: '+34', Sweden: '+46', Switzerland: '+41' },
      ...{ 'United Kingdom': '+44', 'United States': '+1' },
    }
    const wrong = fleet.instruments.flatMap(({ key, input }) => {
      const site = siteOf.get(input.site)
      const area = /^24\/7 (.+)$/.exec(termOf.get(input.contract ?? '') ?? '')?.[1] ?? 'Global'
      const phones = (phonesOf.get(input.contact ?? '') ?? []).filter(
        (phone) => phone?.startsWith('+') && phone !== '+',
      )
      return [
        ...(['Global', site?.region, site?.subRegion].includes(area) ? [] : [`${key} ${site?.city}: 24/7 ${area}`]),
        ...phones
          .filter((phone) => !phone?.startsWith(`${codes[site?.country ?? '']} `))
          .map((phone) => `${key} ${site?.country}: ${phone}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('was installed before its history, its services and its parts', () => {
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const now = Date.parse(today)
    const historyFrom = day(now - 90 * 86_400_000)
    const wrong = postingsOf(fleet).flatMap(({ installedProductId, instrument, ...rest }) => {
      const { installationDate: installed, lastService, nextService, lastMaintenance } = instrument
      if (installed === null) return []
      const week = { number: 0, startsAt: now, workedMs: 0 }
      const parts = usageAt({ installedProductId, instrument, ...rest }, now, week).flatMap(
        ({ details }) => details.find(({ metric }) => metric === 'Installed on')?.value ?? [],
      )
      const later = [historyFrom, lastService, nextService, lastMaintenance, ...parts]
      return later
        .filter((date) => date !== null && String(date) < installed)
        .map((date) => `${installedProductId} of ${installed}: ${date}`)
    })
    expect(wrong).toEqual([])
    expect(fleet.instruments.some(({ input }) => input.lastService === null)).toBe(true)
  })

  it('contains no word twice: the values of Building and Room do not repeat their labels', () => {
    const names = fleet.instruments.flatMap(({ input }) => [input.building, input.room])
    expect(names.filter((name) => /building|room/i.test(name ?? ''))).toEqual([])
  })

  it('has contracts of 24 hours, from the fixed list and freely written, and others', () => {
    const terms = fleet.contracts.flatMap(({ input }) => input.slaTerm ?? [])
    const free = terms.filter((term) => !fullSupportTerms.includes(term) && FULL_SUPPORT_TERM.test(term))
    const office = terms.filter((term) => !fullSupportTerms.includes(term) && !FULL_SUPPORT_TERM.test(term))
    expect(terms.some((term) => fullSupportTerms.includes(term))).toBe(true)
    expect(free.length).toBeGreaterThan(0)
    expect(office.length).toBeGreaterThan(terms.length / 4)
  })

  it('is the same for the same seed and another for another', () => {
    expect(aFleet({ seed: demoSeed })).toEqual(fleet)
    expect(aFleet({ seed: 'another' }).instruments).not.toEqual(fleet.instruments)
  })

  it('moves only its dates with the given day', () => {
    const later = aFleet({ seed: demoSeed, now: new Date('2027-05-01T00:00:00Z') })
    expect(later.gateways).toEqual(fleet.gateways)
    expect(later.instruments.map(({ key, input }) => [key, input.systemName, input.contract])).toEqual(
      fleet.instruments.map(({ key, input }) => [key, input.systemName, input.contract]),
    )
    expect(later.contracts[0]?.input.endDate).not.toBe(fleet.contracts[0]?.input.endDate)
  })

  it('can be smaller', () => {
    const small = aFleet({ seed: demoSeed, customers: 2, instruments: 15 })
    expect(small.customers).toHaveLength(2)
    expect(small.instruments).toHaveLength(15)
    expect(new Set(small.sites.map(({ input }) => input.customer)).size).toBe(2)
  })
})
