import { describe, expect, it } from 'vitest'
import { keyProblem, registryDraft, registryFields, registryInput, registryProblems } from './registry-fields.ts'

const { fields: siteFields } = registryFields.sites

const uppsala = {
  key: 'helix-uppsala',
  customer: 'helix',
  name: 'Uppsala',
  street: null,
  zip: null,
  city: 'Uppsala',
  country: 'Sweden',
  region: null,
  subRegion: null,
  latitude: 59.85882,
  longitude: 17.63889,
  timeZone: 'Europe/Stockholm',
}

describe('the form of a registry object', () => {
  it('sends back what it was given, field by field, without the key', () => {
    const { key: _key, ...input } = uppsala
    expect(registryInput(siteFields, registryDraft(siteFields, uppsala))).toEqual(input)
  })

  it('of a new one is empty, boxes are not ticked, and a site is at UTC', () => {
    expect(registryDraft(registryFields.contracts.fields, null)).toMatchObject({ customer: '', tierOne: false })
    expect(registryDraft(siteFields, null)).toMatchObject({ timeZone: 'UTC', latitude: '' })
  })

  it('sends emptied fields as null and reads numbers with a comma, too', () => {
    const draft = { ...registryDraft(siteFields, uppsala), name: ' ', latitude: '59,5' }
    expect(registryInput(siteFields, draft)).toMatchObject({ name: null, latitude: 59.5 })
  })

  it('names what is missing or no number', () => {
    const draft = { ...registryDraft(siteFields, uppsala), customer: '', latitude: 'north', longitude: '181' }
    expect(registryProblems(siteFields, draft)).toEqual({
      customer: 'Choose a customer.',
      latitude: 'Enter a number from -90 to 90.',
      longitude: 'Enter a number from -180 to 180.',
    })
  })

  it('says how a date is written', () => {
    const { fields } = registryFields.instruments
    expect(registryProblems(fields, { ...registryDraft(fields, null), nextService: '31.12.2026' })).toMatchObject({
      nextService: 'Enter a date such as 31 Dec 2026.',
    })
  })

  it('wants both coordinates or none', () => {
    const draft = registryDraft(siteFields, uppsala)
    expect(registryProblems(siteFields, { ...draft, latitude: '' })).toEqual({
      latitude: 'Enter both latitude and longitude.',
    })
    expect(registryProblems(siteFields, { ...draft, latitude: '', longitude: '' })).toEqual({})
  })

  it('finds nothing to say against the example of any kind, nor against its key', () => {
    for (const kind of Object.values(registryFields)) {
      const example = Object.fromEntries(
        kind.fields.map(({ name, input, example: text }) => [name, input.kind === 'yes-no' ? text === 'true' : text]),
      )
      expect(registryProblems(kind.fields, example)).toEqual({})
      expect(keyProblem(kind, kind.keyExample)).toBeNull()
    }
  })

  it.each([
    ['customers', 'helix biologics'],
    ['customers', ''],
    ['gateways', '-GW'],
    ['instruments', 'IP/1'],
    ['event-templates', 'AKTAPilot600'],
    ['event-templates', 'a b/P9B-1'],
    ['instrument-families', 'All'],
    ['instrument-families', 'Deep  freezers'],
    ['instrument-types', 'ÄKTA'],
    ['event-templates', 'AKTAPilot600/P9B'],
  ] as const)('refuses a key of %s such as %j', (kind, key) => {
    expect(keyProblem(registryFields[kind], key)).not.toBeNull()
  })
})
