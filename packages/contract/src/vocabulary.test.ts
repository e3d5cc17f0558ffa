import { describe, expect, it } from 'vitest'
import * as words from './vocabulary.ts'

/** The lists as the specification writes them, each on one line. */
const list = (line: string): string[] => line.split(', ')

describe('events', () => {
  it('have three severities, shown as HIGH, MED and LOW', () => {
    expect(words.severityLabels).toEqual({ high: 'HIGH', medium: 'MED', low: 'LOW' })
  })

  it('are New, In progress or Closed', () => {
    expect(words.alertStatusLabels).toEqual({ '1_NEW': 'New', '2_IN_PROGRESS': 'In progress', '3_CLOSED': 'Closed' })
  })

  it('are alarms (1) or alerts (2)', () => {
    expect(words.alertTypeLabels).toEqual({ 1: 'Alarm', 2: 'Alert' })
  })

  it('come from five sources', () => {
    expect(words.alertSources).toEqual(list('INSTRUMENT, EDGE_ISSUE, OFFLINE, BACKOFFICE, TEST'))
  })

  it('are closed for six reasons, the last two given only by the system', () => {
    const people = list('Service Case Created, Customer resolved on own, No action required, Duplicate event')
    expect(words.closeReasons).toEqual([...people, ...list('Closed by automatic email, Customer unsubscribed')])
    expect(words.personCloseReasons).toEqual(people)
  })

  it('closed for four of the reasons have a comment that can be edited', () => {
    const line = 'No action required, Duplicate event, Customer resolved on own, Closed by automatic email'
    expect([...words.commentableCloseReasons].sort()).toEqual(list(line).sort())
  })

  it('are filtered by these categories, of which componentName is labelled Module and componentType Component', () => {
    const line =
      'alertStatus, alertType, severity, owner, reasonClosed, componentName, componentType, instrumentType, instrumentStatus, run, contractSLA, contractClock, enterpriseName, siteRegion, siteCountry, siteCity, qualifiedSystem'
    expect(words.eventFilterCategories.map(({ key }) => key)).toEqual(list(line))
    const label = (key: string) => words.eventFilterCategories.find((category) => category.key === key)?.label
    expect(list('alertStatus, componentName, componentType').map(label)).toEqual(
      list('Event status, Module, Component'),
    )
  })

  it('are sorted by thirteen columns', () => {
    const line =
      'createdAt, severity, eventId, description, instrumentStatus, instrumentProductDescription, instrumentInstalledProductId, siteCity, enterpriseName, claimedBy, alertStatus, automaticEmailSentAt, contractClock'
    expect(words.eventOrderBy).toEqual(list(line))
  })
})

describe('instruments', () => {
  const colours = {
    green: 'running, method run, manual run',
    grey: 'ready, starting method run, starting manual run, resetting, initializing, initializing system',
    blue: 'wash',
    yellow: 'hold, hold pause',
    orange: 'system pause, pause hold, manual pause, paused',
    red: 'alarms and errors',
    lightgrey: 'disconnected',
    unknown: 'Unknown',
  }

  it('have the statuses of the specification, each with its colour', () => {
    const coloured = Object.entries(colours).flatMap(([colour, line]) => list(line).map((status) => [status, colour]))
    expect(words.instrumentStatusColours).toEqual(Object.fromEntries(coloured))
    expect(new Set(words.instrumentStatuses)).toEqual(new Set(Object.values(colours).flatMap(list)))
  })

  it('are filtered by eleven categories', () => {
    const line =
      'instrumentType, instrumentStatus, orcStatus, maintenance, usageLimit, contractSLA, instrumentCustomer, instrumentRegion, instrumentCountry, instrumentCity, qualifiedSystem'
    expect(words.instrumentFilterCategories.map(({ key }) => key)).toEqual(list(line))
  })

  it('and their computers write logs of ten types', () => {
    const line =
      'VID, COMM, AUDITTRAIL, INSTRUMENTSERVER, UNICORNCLIENT, WINDOWSSYSTEMEVENT, CONNECTIVITY, THRESHOLD, SYSTEMREPORT, EVENT'
    expect(words.logTypes).toEqual(list(line))
  })

  it('are Connected, Edge Issue, Disconnected or Onboarding', () => {
    expect(words.orcStatuses).toEqual(list('Connected, Edge Issue, Disconnected, Onboarding'))
  })
})

it('feature flags are sixteen', () => {
  const line =
    'ALLOW_ASSET_DELETE, ALLOW_EVENT_DELETE, ALLOW_LOG_DELETE, ALLOW_PROFILE_DELETE, ALLOW_USER_DELETE, ASSET_USAGE, AUTO_EMAIL, BACKOFFICE, CREATE_EVENTS_WITH_CONTRACT_ONLY, EDGE_ISSUE_EVENT_CREATION, INSTRUMENT_OFFLINE_EVENT_CREATION, INSTRUMENT_STATUS_TEMPLATE, NOTIFY_UNDER_REVIEW, WEEKLY_ALARM_INJECTION, FETCH_INSTRUMENT_DAILY_RUNTIMES, FETCH_INSTRUMENT_COMPONENTS'
  expect(words.featureKeys).toEqual(list(line))
})

it('roles are four', () => {
  expect(words.roles).toEqual(list('customer, service, support, admin'))
})

it('pages hold 12, 25, 50, 75 or 100 rows, 12 unless asked', () => {
  expect(words.pageSizes).toEqual([12, 25, 50, 75, 100])
  expect(words.defaultPageSize).toBe(12)
})

it('texts are cut at 40, 1000 and 70 characters', () => {
  expect(words.limits).toMatchObject({ keyword: 40, instruments: 1000, unsubscribeToken: 70 })
})
