import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { describe, expect, it } from 'vitest'
import { withoutFilters } from './notification-form.ts'
import { edgeIssueStoppers, leavesOutEdgeIssues, offeredFilters, valueLabel } from './profile-filters.tsx'

const none = withoutFilters({ notifyEmail: true, notifySms: false } as NotificationSettings)
const filterData = [
  { key: 'siteCountry', values: ['Germany', 'Sweden'] },
  { key: 'severity', values: ['high', 'medium', 'low'] },
  { key: 'enterpriseName', values: ['Helix Biologics'] },
  { key: 'owner', values: ['1'] },
]

function offered(input: Partial<Parameters<typeof offeredFilters>[0]> = {}) {
  return offeredFilters({ filterData, chosen: none, saved: none, types: seededTypes, ...input })
}

describe('the filter categories of a profile', () => {
  it('appear in this order: alertType, severity, customer, instrumentType, region, country, city, component, instrument status, contract SLA, qualified systems', () => {
    expect(offered().map(({ key }) => key)).toEqual([
      'alertType',
      'severity',
      'customer',
      'instrumentType',
      'region',
      'country',
      'siteCity',
      'componentName',
      'instrumentStatus',
      'contractSLA',
      'qualifiedSystem',
    ])
  })

  it('offer the values of the person’s events under the category that means the same', () => {
    const labels = Object.fromEntries(offered().map(({ key, options }) => [key, options.map(({ label }) => label)]))
    expect(labels.country).toEqual(['Germany', 'Sweden'])
    expect(labels.customer).toEqual(['Helix Biologics'])
    expect(labels.severity).toEqual(['High', 'Medium', 'Low'])
  })

  it('offer the lists that are the same for everybody while the values cannot be had', () => {
    const byKey = Object.fromEntries(offered({ filterData: undefined }).map(({ key, options }) => [key, options]))
    expect(byKey.alertType?.map(({ label }) => label)).toEqual(['Alarm', 'Alert'])
    expect(byKey.country).toEqual([])
  })

  it('keep in sight what is saved but not offered any more, also after it was taken out', () => {
    const saved = { ...none, country: ['Norway', 'Sweden'] }
    for (const chosen of [saved, none]) {
      const country = offered({ chosen, saved }).find(({ key }) => key === 'country')
      expect(country?.options).toEqual([
        { value: 'Germany', label: 'Germany' },
        { value: 'Sweden', label: 'Sweden' },
        { value: 'Norway', label: 'Norway', note: '(not offered any more)' },
      ])
    }
  })

  it('read as in the filter panel of events', () => {
    expect(valueLabel('alertType', '2', seededTypes)).toBe('Alert')
    expect(valueLabel('instrumentType', 'AKTAPure', seededTypes)).toBe('ÄKTA pure')
    expect(valueLabel('qualifiedSystem', 'true', seededTypes)).toBe('Yes')
    expect(valueLabel('customer', 'Helix Biologics', seededTypes)).toBe('Helix Biologics')
  })

  it('that edge issues lack leave them out, the others do not', () => {
    const kept = ['alertType', 'severity', 'customer', 'region', 'country', 'siteCity'] as const
    expect(kept.filter(leavesOutEdgeIssues)).toEqual([])
    expect(edgeIssueStoppers({ ...none, severity: ['high'], country: ['Sweden'] })).toEqual([])
    expect(edgeIssueStoppers({ ...none, contractSLA: ['Gold'], componentName: ['Pump A'] })).toEqual([
      'Component',
      'Contract SLA',
    ])
  })
})
