import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventTotals, serviceEvent } from './events/events.ts'
import { ingestItem, ingestLimits } from './ingest.ts'
import { liveMessage } from './live.ts'
import type { RouteName } from './paths.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import * as words from './vocabulary.ts'

/**
 * The request and answer fields of the wire specification, transcribed by name. The server's tests compare its answers
 * with the contract; this test checks the contract itself. `own` lists fields that this product adds, so that none is
 * added by accident.
 */

type Part = 'query' | 'body' | 'answer'
const names = (line: string): string[] => line.split(', ').filter((name) => name !== '')
const shown = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')

/** Returns the field names of a schema, looking through lists, alternatives and optional wrappers. */
function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element)
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap(fieldsOf))]
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return fieldsOf(schema.unwrap())
  }
  return []
}

/** Returns the schema at a path such as `values.alarm`. */
function at(schema: unknown, path: string): unknown {
  if (path === '') return schema
  if (schema instanceof z.ZodArray) return at(schema.element, path)
  if (schema instanceof z.ZodRecord) return at(schema.valueType, path)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return at(schema.unwrap(), path)
  }
  if (!(schema instanceof z.ZodObject)) throw new Error(`There is no ${path} in ${String(schema)}.`)
  const [first = '', ...rest] = path.split('.')
  return at(schema.shape[first], rest.join('.'))
}

const search = 'keyword, start, stop, noOwnerEvents, noActionEvents, fullSupportEvents'
const paging = 'limit, offset'
const position = 'instrumentLocationLatitude, instrumentLocationLongitude, siteCountry, siteCity, enterpriseName'
const notification =
  'notifyEmail, notifySms, alertType, severity, customer, instrumentType, region, country, siteCity, componentName, instrumentStatus, contractSLA, qualifiedSystem'
const mailing = 'notificationEmail, useDefaultEmail, useNotificationEmail'
const view = 'area, name, shared, isDefault, state'
const logs =
  'logType, instrumentInstalledProductId, order, timeGreaterThan, timeLessThan, size, computerName, enterprise, openSearchLogId, openSearchTimeStamp'
const instrument = [
  'id, instrumentProductDescription, instrumentDefinedSystemName, instrumentInstalledProductId, instrumentType, qualifiedSystem',
  'instrumentRegion, instrumentSubRegion, instrumentCountry, instrumentCity, instrumentStreetAddress, instrumentZipCode',
  'instrumentDefinedBuilding, instrumentDefinedRoom, instrumentCustomer, instrumentContractType, instrumentContractEndDate',
  'instrumentContractSlaTerm, instrumentContactName, instrumentContactPhone, instrumentContactMobile, instrumentContactEmail',
  'itContactName, itContactEmail, instrumentLastService, instrumentNextService, instrumentInstallationDate, connectedAt, createdAt',
  'unicornVersion, unicornWinOs, unicornPcName, unicornServicePack, unicornEmbeddedPcDomain, unicornEmbeddedPcType',
  'unicornInstalledConfigFile, unicornNetworkConfigurations',
  'eventCount, orcStatus, unknownAt, instrumentStatus, maintenances, gatewayName, instrumentTimeZone',
].join(', ')
const alarm =
  'id, alertId, eventId, templateId, eventTemplateId, eisCode, errorCode, date, createdAt, logGeneratedAt, clearedAt, severity, description, userMessage, alertType, alertSource, isEdgeIssue, alertStatus, claimedBy, claimedByName, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl, automaticEmail, automaticEmailSentAt, troubleshooting, remedy, componentName, componentType, instrumentId, instrumentInstalledProductId, instrumentProductDescription, instrumentDefinedSystemName, instrumentType, instrumentStatus, instrumentStatusAtEvent, qualifiedSystem, tierOne, fullSupport, latchedCount, enterpriseName, siteStreet, siteZip, siteCity, siteCountry, siteRegion, siteTimeZone, instrumentLocationLatitude, instrumentLocationLongitude, cpType, cpSLATerm, cpEndDate, instrumentLastMaintenance, instrumentLastService, contactName, contactMobile, contactPhone, contactEmail, itContactName, itContactEmail, gatewayName, version'
const ownOfAlarm = 'duringMaintenance, serviceCase, run'
const ownOfInstrument = 'statusReason, run, runSince, openEventsBySeverity'
const usage = 'metric, unit, value, thresholdRule, thresholdValues, usagePercentage, usageColor, forecastDate'
const unsubscription = 'id, contactEmail, instrumentIpid, componentName, errorCode'
const instrumentState = 'ipid, instrumentStatus, orcStatus, createOfflineEvent'

/** Part of a call, path within it, its fields as the specification writes them, and the product's own fields. */
const calls: [RouteName, Part, string, string, own?: string][] = [
  // 2. Events
  ['listServiceEvents', 'query', '', `${paging}, ${search}, order, orderBy`],
  ['listServiceEvents', 'body', '', 'filter, positions'],
  ['listServiceEvents', 'answer', '', 'values, total', 'asOf, isDegraded'],
  ['listServiceEvents', 'answer', 'values', 'alarm'],
  ['listServiceEvents', 'answer', 'values.alarm', alarm, ownOfAlarm],
  ['getServiceEvent', 'answer', '', alarm, ownOfAlarm],
  ['getServiceEvent', 'answer', 'automaticEmail', 'contactName, email, subject, body'],
  ['getServiceEventByEventId', 'answer', '', alarm, ownOfAlarm],
  ['updateServiceEvent', 'answer', '', alarm, ownOfAlarm],
  [
    'listServiceEventHistory',
    'answer',
    'values',
    'at, actorId, actorName, action, property, oldValue, newValue, reason',
  ],
  ['listServiceEventEmails', 'answer', 'values', 'sentAt, to, contactName, subject, body, automatic', 'state, reason'],
  ['getServiceResponse', 'answer', '', 'alertToAcknowledgeTime, duration, eventReasonClosed'],
  [
    ...(['listSimilarEvents', 'query', ''] as const),
    'templateId, date, instrumentInstalledProductId, thisEventOnly, maxResultsQuantity',
  ],
  ['listSimilarEvents', 'answer', 'values.alarm', alarm, ownOfAlarm],
  ['listFrequentEvents', 'query', '', 'instrumentInstalledProductId'],
  ['listFrequentEvents', 'answer', '', 'event, count'],
  ['listFrequentEvents', 'answer', 'event', alarm, ownOfAlarm],
  ['listRecentEvents', 'query', '', 'instrumentInstalledProductId'],
  ['listRecentEvents', 'answer', 'values.alarm', alarm, ownOfAlarm],
  ['getAutomaticEmailSubject', 'query', '', 'instrumentType, eisCode, errorCode'],
  ['getAutomaticEmailSubject', 'answer', '', 'subject'],
  ['listEventLocations', 'query', '', `${search}, order, orderBy`],
  ['listEventLocations', 'body', '', 'filter, positions'],
  ['listEventLocations', 'answer', '', 'values, total', 'asOf, isDegraded'],
  ['listEventLocations', 'answer', 'values', 'alarm, high, medium, low, total', 'openHigh, openMedium, openLow'],
  ['listEventLocations', 'answer', 'values.alarm', position],
  ['listEventLocations', 'answer', 'total', `${fieldsOf(eventTotals).join(', ')}, eventsWithoutPosition`],
  ['shareServiceEvent', 'body', '', 'eventId, receiverIds, message'],
  ['changeServiceEvents', 'body', '', 'ids, mode, filter, keyword, start, stop, quick, change'],
  [
    ...(['changeServiceEvents', 'body', 'change'] as const),
    'alertStatus, claimedBy, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl',
    'undo',
  ],
  ['changeServiceEvents', 'answer', '', 'changed, failed, jobId'],
  ['getBulkChange', 'answer', '', 'state, changed, failed', 'done, total'],
  ['getBulkChange', 'answer', 'failed', 'id, eventId, code, ErrorBody'],
  // 3. Instruments
  ['listInstruments', 'query', '', `${paging}, keyword, instrumentFamily, order, orderBy, start, stop`],
  ['listInstruments', 'body', '', 'filter'],
  ['listInstruments', 'answer', '', 'values, total'],
  ['listInstruments', 'answer', 'values', instrument, ownOfInstrument],
  ['listInstruments', 'answer', 'total', 'instruments'],
  ['getInstrument', 'answer', '', `${instrument}, events`, ownOfInstrument],
  ['getInstrument', 'answer', 'events.alarm', alarm, ownOfAlarm],
  ['getInstrument', 'answer', 'maintenances', 'id, start, end, reason', 'rrule, timeZone'],
  ['readInstrumentStatuses', 'body', '', 'instrumentInstalledProductIds'],
  ['getLinkedClients', 'query', '', 'instrumentInstalledProductId'],
  ['getLinkedClients', 'answer', '', 'clientPcNames, instrumentServerPcName'],
  ['getEdgeGateway', 'answer', '', 'name, instrumentIpids, location, lastSeenAt'],
  ['listSupportEmails', 'query', '', 'instrumentIpid, instrumentType'],
  [
    ...(['listSupportEmails', 'answer', ''] as const),
    'componentName, errorCode, subject, unsubscribed, unsubscriptionDate, contactEmail, expires',
  ],
  // 4. Usage, run time
  ['listComponentUsage', 'query', '', 'instrumentType'],
  ['listComponentUsage', 'answer', '', 'componentName, usage, info, details'],
  ['listComponentUsage', 'answer', 'usage', usage],
  ['listComponentUsage', 'answer', 'info', 'metric, unit, value'],
  ['listComponentUsage', 'answer', 'details', 'metric, unit, value'],
  ['listDailyRuntimes', 'query', '', 'numberOfDays'],
  ['listDailyRuntimes', 'answer', '', 'time, value'],
  // 5. People
  ['listUsers', 'answer', '', 'id, name, email, msisdn'],
  ['getMe', 'answer', '', 'id, name, email, msisdn, role, customers, inactivityLimitSeconds'],
  ['listMyFeatures', 'answer', '', 'key, value'],
  ['getMyFilters', 'answer', '', 'eventFilter, instrumentSummaryFilter'],
  ['getMyFilters', 'answer', 'eventFilter', 'key, values'],
  ['getMyFilters', 'answer', 'instrumentSummaryFilter', 'key, values'],
  ['listProfiles', 'answer', '', `id, profileType, createdAt, updatedAt, userId, ${notification}, ${mailing}`],
  ['updateProfile', 'body', '', `${notification}, ${mailing}`],
  ['updateProfile', 'answer', '', `id, profileType, createdAt, updatedAt, userId, ${notification}, ${mailing}`],
  ['previewProfile', 'body', '', `${notification}, ${mailing}`],
  ['previewProfile', 'answer', '', 'days, sent, values', 'stopped'],
  ['previewProfile', 'answer', 'values.alarm', alarm, ownOfAlarm],
  // 6. Maintenance
  ['setMaintenance', 'query', '', 'instrumentId'],
  ['setMaintenance', 'body', '', 'start, end, reason, rrule, timeZone', 'id'],
  ['setMaintenance', 'answer', '', 'maintenances'],
  // 7. Logs
  ['listInstrumentLogs', 'query', '', logs],
  ['searchInstrumentLogs', 'query', '', `${logs}, searchString`],
  ['searchInstrumentLogs', 'answer', 'body', 'hits'],
  ['searchInstrumentLogs', 'answer', 'body.hits', 'total, hits'],
  ['searchInstrumentLogs', 'answer', 'body.hits.total', 'value'],
  ['searchInstrumentLogs', 'answer', 'body.hits.hits', '_index, _id, sort, _source, highlight'],
  [
    ...(['searchInstrumentLogs', 'answer', 'body.hits.hits._source'] as const),
    '@timestamp, message, module, log.level, event.code, winlog.user.name, host.hostname',
  ],
  // 8. Export, views
  ['createExport', 'query', '', `${search}, order, orderBy, instrumentFamily`],
  ['createExport', 'body', '', 'ids, type, mode, details, filter'],
  ['createExport', 'answer', '', 'url, exportId, rows, expiresAt'],
  ['getExport', 'answer', '', 'state, written, rows, url'],
  ['createView', 'body', '', view],
  ['updateView', 'body', '', view],
  ['listViews', 'answer', '', `id, ${view}`, 'isOwn, ownerName'],
  ['listViews', 'answer', 'state', 'filters, keyword, range, order, orderBy, columns, pageSize'],
  // 9. Unsubscribe, KPI
  ['getUnsubscribeInformation', 'query', '', 'token'],
  [
    ...(['getUnsubscribeInformation', 'answer', ''] as const),
    'eventTemplateId, instrumentProductDescription, instrumentDefinedSystemName, errorCode, componentName, instrumentType',
    'isUnsubscribed, unsubscribedUntil',
  ],
  ['unsubscribe', 'body', '', 'token, unsubscribeDays'],
  ['unsubscribe', 'answer', '', 'unsubscribedUntil'],
  ['listKpiDashboards', 'answer', '', 'id, name'],
  ['getKpiDashboard', 'answer', '', 'dashboardEmbedUrl, expiresAt'],
  // 10. Sign-in, outbox, back office
  ['signIn', 'body', '', 'userId, password'],
  ['signIn', 'answer', '', 'accessToken, expiresIn, user, challenge, challengeToken, delivery'],
  ['setNewPassword', 'body', '', 'challengeToken, newPassword'],
  ['setNewPassword', 'answer', '', 'accessToken, expiresIn, user, challenge, challengeToken, delivery'],
  ['answerMfa', 'body', '', 'challengeToken, code'],
  ['answerMfa', 'answer', '', 'accessToken, expiresIn, user, challenge, challengeToken, delivery'],
  ['resendMfa', 'body', '', 'challengeToken'],
  ['resendMfa', 'answer', '', 'challengeToken'],
  ['forgotPassword', 'body', '', 'email'],
  ['forgotPassword', 'answer', '', ''],
  ['confirmForgotPassword', 'body', '', 'email, code, newPassword'],
  ['confirmForgotPassword', 'answer', '', ''],
  ['refresh', 'body', '', 'idleSeconds'],
  ['refresh', 'answer', '', 'accessToken, expiresIn, user'],
  ['refresh', 'answer', 'user', 'userId, userName, mail'],
  ['signOut', 'body', '', 'everywhere'],
  ['createLiveToken', 'answer', '', 'token, expiresIn'],
  ['getAuthConfig', 'answer', '', 'provider, startUrl, product, deployment, passwordRules'],
  ['listOutbox', 'answer', 'values', 'id, channel, to, subject, text, html, headers, createdAt, sentAt'],
  [
    ...(['createBackofficeEvent', 'body', ''] as const),
    'componentName, description, userMessage, severity, templateId, instrumentInstalledProductId, alertStatus, alertType, createdAt, logGeneratedAt, alertSource, alertId, claimedBy, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl',
  ],
  ['createBackofficeEvent', 'answer', '', alarm, ownOfAlarm],
  ['getBackofficeInstrumentStatus', 'query', '', 'ipid'],
  ['getBackofficeInstrumentStatus', 'answer', '', instrumentState],
  ['setBackofficeInstrumentStatus', 'body', '', instrumentState],
  ['setBackofficeInstrumentStatus', 'answer', '', instrumentState],
  [
    ...(['injectLog', 'body', ''] as const),
    'logType, message, instrumentInstalledProductId, module, componentName, errorCode, logLevel, eventCode, winlogUserName, hostHostname, enterprise, timestamp',
  ],
  ['injectLog', 'answer', '', '_id'],
  ['listUnsubscriptions', 'query', '', 'contactEmail, instrumentIpid, componentName, errorCode'],
  ['listUnsubscriptions', 'answer', '', unsubscription],
  ['listCustomerEmails', 'answer', '', 'instrumentInstalledProductId, instrumentCustomer, contactEmails'],
  ['readUnicornPcNames', 'body', '', 'instrumentInstalledProductIds'],
  // 12. Ingest
  ['ingestBatch', 'answer', '', 'accepted, duplicates, rejected, ackSequence', 'knows'],
  ['ingestBatch', 'answer', 'rejected', 'id, code, reason'],
  // 13. Registry
  ['listCustomers', 'query', '', paging, 'keyword'],
  ['listCustomers', 'answer', '', 'values, total'],
  ['importRegistry', 'query', '', 'kind, dryRun'],
  ['importRegistry', 'answer', '', 'created, updated, errors'],
  ['importRegistry', 'answer', 'errors', 'line, path, message'],
]

describe('every call', () => {
  it.each(calls)('%s: %s %s has the fields of the wire', (name, part, path, line, own = '') => {
    const { [part]: schema } = routes[name] as Route
    expect(fieldsOf(at(schema, path)).toSorted()).toEqual([...names(line), ...names(own)].toSorted())
  })

  it.each<[section: string, routes: string]>([
    [
      '2. Events',
      'POST /alarms, GET /alarms/{id}, GET /alarms/event/{eventId}, PUT /alarms/{id}, GET /alarms/{id}/history, GET /alarms/{id}/emails, GET /alarms/{id}/service-response, GET /alarms/similar-events, GET /alarms/frequent-events, GET /alarms/recent-events, GET /alarms/automatic-email-subject, POST /alarms/geo-locations, POST /alarms/share, POST /alarms/bulk, GET /alarms/bulk/{jobId}',
    ],
    [
      '3. Instruments',
      'POST /instruments, GET /instruments/families, GET /instruments/{id}, POST /instruments/instrument-statuses, GET /instruments/linked-clients, GET /instruments/edge-gateway/{id}, GET /instruments/unsubscriptions',
    ],
    ['4. Usage, run time', 'GET /instruments/components/{id}, GET /instruments/daily-runtimes/{id}'],
    [
      '5. People',
      'GET /users, GET /users/me, GET /users/me/features, GET /users/me/filters, GET /profiles, PUT /profiles/{id}, POST /profiles/{id}/preview',
    ],
    ['6. Maintenance', 'POST /maintenance'],
    ['7. Logs', 'GET /instrument-logs, GET /instrument-logs/highlight'],
    [
      '8. Export, views',
      'POST /export, GET /exports/{exportId}, GET /views, POST /views, PUT /views/{id}, DELETE /views/{id}',
    ],
    ['9. Unsubscribe, KPI', 'GET /unsubscribe, POST /unsubscribe, GET /kpi/urls, GET /kpi/{id}'],
    [
      '10. Sign-in, outbox, back office',
      'POST /auth/sign-in, POST /auth/new-password, POST /auth/mfa, POST /auth/mfa/resend, POST /auth/forgot-password, POST /auth/confirm-forgot-password, POST /auth/refresh, POST /auth/sign-out, POST /auth/live-token, GET /auth/config, GET /dev/outbox, POST /backoffice/event, GET /backoffice/instrument-status, PUT /backoffice/instrument-status, POST /backoffice/inject-logs, GET /backoffice/unsubscriptions, DELETE /backoffice/unsubscription/{id}, GET /backoffice/customer-emails, POST /backoffice/unicorn-pc-names',
    ],
    ['12. Ingest', 'POST /ingest/v1/gateways/{gateway}/batches'],
    [
      '13. Registry',
      [
        ...['customers', 'sites', 'contracts', 'contacts', 'instruments', 'gateways', 'event-templates'].flatMap(
          (kind) => [
            ...[`PUT /registry/v1/${kind}/{key}`, `GET /registry/v1/${kind}/{key}`, `GET /registry/v1/${kind}`],
          ],
        ),
        'POST /registry/v1/import',
      ].join(', '),
    ],
  ])('is declared: %s', (_section, line) => {
    const declared = Object.values<Route>(routes).map(({ method, path }) => `${method} ${shown(path)}`)
    expect(names(line).filter((route) => !declared.includes(route))).toEqual([])
  })
})

describe('an answer', () => {
  it('has null for what is absent: no field may be missing but what lists leave out and what some providers have', () => {
    const mayBeMissing = (schema: unknown): string[] => {
      if (schema instanceof z.ZodObject) {
        return Object.entries(schema.shape).flatMap(([name, field]) => [
          ...(field instanceof z.ZodOptional ? [name] : []),
          ...mayBeMissing(field),
        ])
      }
      if (schema instanceof z.ZodArray) return mayBeMissing(schema.element)
      if (schema instanceof z.ZodUnion) return schema.options.flatMap(mayBeMissing)
      if (schema instanceof z.ZodRecord) return mayBeMissing(schema.valueType)
      if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return mayBeMissing(schema.unwrap())
      return []
    }
    const missing = Object.values<Route>(routes).flatMap(({ answer }) => mayBeMissing(answer))
    expect([...new Set(missing)].toSorted()).toEqual(
      names('body, delivery, knows, remedy, serviceCase, startUrl, troubleshooting').toSorted(),
    )
  })

  it('has totals of a list: events, instruments, components, customers, locations and the four counters', () => {
    const line =
      'events, instruments, components, customers, locations, noOwnerEvents, noActionEvents, fullSupportEvents, olderOpenEvents'
    expect(fieldsOf(eventTotals)).toEqual(names(line))
  })

  it('names severities, types, status and reasons of an event in the words of the wire', () => {
    const { severity, alertType, alertStatus, reasonClosed } = serviceEvent.shape
    expect(severity.options).toEqual(['high', 'medium', 'low'])
    expect([...alertType.values]).toEqual([1, 2])
    expect(alertStatus.options).toEqual(['1_NEW', '2_IN_PROGRESS', '3_CLOSED'])
    expect(reasonClosed.unwrap().options).toHaveLength(6)
  })
})

describe('the live connection', () => {
  const head = 'id, eventId, version, instrumentInstalledProductId'
  it.each<[entity: string, action: string, property: string | null, payload: string]>([
    ...names(
      'serviceMaxCaseNumber, serviceMaxUrl, serviceCase, reasonClosedComment, latchedCount, run, clearedAt, automaticEmailSentAt',
    ).map((property): [string, string, string, string] => ['alarm', 'update', property, `${head}, ${property}`]),
    ['alarm', 'update', 'alertStatus', `${head}, alertStatus, reasonClosed`],
    ['alarm', 'update', 'claimedBy', `${head}, claimedBy, claimedByName`],
    ['alarm', 'create', null, 'id, eventId, createdAt, severity, alertStatus, instrumentInstalledProductId'],
    ['alarm', 'delete', null, 'id, eventId'],
    ...names('instrumentStatus, orcStatus, unknownAt, statusReason, maintenances').map(
      (property): [string, string, string, string] => [
        ...(['instrument', 'update', property] as const),
        `id, instrumentInstalledProductId, ${property}`,
      ],
    ),
    ['instrument', 'update', 'run', 'id, instrumentInstalledProductId, run, runSince'],
    ['user', 'update', 'features', ''],
    ['user', 'update', 'session', ''],
    ['hello', 'ready', null, ''],
    ['hello', 'resync', null, ''],
  ])('tells %s %s %s with the payload of the wire', (entity, action, property, payload) => {
    const told = messages().filter((message) => message.entity === entity && message.actions.includes(action))
    const [found, ...others] = told.filter(({ properties }) => properties.includes(property))
    expect(others).toEqual([])
    expect(found?.payload.toSorted()).toEqual(names(payload).toSorted())
    expect(found?.fields).toEqual(['seq', 'entity', 'action', 'property', 'payload'])
  })

  it('tells nothing else', () => {
    expect(messages().flatMap(({ actions, properties }) => actions.flatMap(() => properties))).toHaveLength(22)
  })
})

describe('a gateway', () => {
  it.each<[type: string, data: string]>([
    [
      'benchwatch.alarm.raised',
      'alertId, templateId, alertType, componentName, logGeneratedAt, severity, description, userMessage, count',
    ],
    ['benchwatch.alarm.cleared', 'alertId'],
    ['benchwatch.status.changed', 'instrumentStatus, reason, at, run'],
    ['benchwatch.log.appended', 'logType, lines'],
    ['benchwatch.usage.sampled', 'components'],
    ['benchwatch.runtime.measured', 'day, seconds'],
    [
      'benchwatch.clients.changed',
      'clientPcNames, instrumentServerPcName, unicornVersion, unicornWinOs, unicornPcName, unicornServicePack, unicornEmbeddedPcDomain, unicornEmbeddedPcType, unicornInstalledConfigFile, unicornNetworkConfigurations',
    ],
    ['benchwatch.heartbeat', 'links, version, backlog'],
  ])('sends %s with the data of the wire', (type, data) => {
    const item = ingestItem.options.find((option) => option.shape.type.value === type)
    expect(fieldsOf(item?.shape.data).toSorted()).toEqual(names(data).toSorted())
    const envelope = 'specversion, id, source, type, subject, time, sequence, data'
    expect(fieldsOf(item).toSorted()).toEqual([...names(envelope), 'datacontenttype'].toSorted())
  })

  it('sends nothing else', () => {
    expect(ingestItem.options).toHaveLength(8)
  })

  it('sends lines and components with the fields of the wire', () => {
    const dataOf = (type: string) => ingestItem.options.find((option) => option.shape.type.value === type)?.shape.data
    const line = 'timestamp, message, module, level, eventCode, userName, hostname'
    expect(fieldsOf(at(dataOf('benchwatch.log.appended'), 'lines'))).toEqual(names(line))
    const components = at(dataOf('benchwatch.usage.sampled'), 'components')
    expect(fieldsOf(components)).toEqual(names('componentName, usage, info, details'))
    expect(fieldsOf(at(components, 'usage'))).toEqual(names('metric, unit, value, thresholdRule, thresholdValues'))
  })

  it('sends at most 500 items, 1 MB as sent, 8 MB unpacked, and 200 lines in an item', () => {
    expect(ingestLimits).toMatchObject({ items: 500, sentBytes: 1_000_000, unpackedBytes: 8_000_000, logLines: 200 })
  })
})

describe('a family of instruments', () => {
  it('is asked for by its name or All', () => {
    const { instrumentFamily } = routes.listInstruments.query.shape
    for (const family of ['All', 'WAVE 25', 'ÄKTA pilot', 'Freezers']) {
      expect(instrumentFamily.parse(family)).toBe(family)
    }
    expect(instrumentFamily.safeParse(' ').error?.issues[0]?.message).toBe('is not an instrument family')
  })
})

describe('an order', () => {
  it('of instruments is by ten columns or by trouble, the product description ascending unless asked', () => {
    const line =
      'instrumentProductDescription, instrumentDefinedSystemName, instrumentInstalledProductId, instrumentRegion, instrumentCity, instrumentCustomer, instrumentLastService, instrumentNextService, orcStatus, eventCount'
    expect(words.instrumentOrderBy).toEqual([...names(line), 'trouble'])
    expect(routes.listInstruments.query.parse({})).toMatchObject({
      orderBy: 'instrumentProductDescription',
      order: 'ASC',
    })
  })
})

/** Lists every kind of live message: entity, actions, properties (null if none) and payload names. */
function messages() {
  const flat = (schema: unknown): z.ZodObject[] =>
    schema instanceof z.ZodUnion ? schema.options.flatMap(flat) : [schema as z.ZodObject]
  const values = (schema: unknown): unknown[] => {
    if (schema instanceof z.ZodNull) return [null]
    return schema instanceof z.ZodEnum ? schema.options : [...(schema as z.ZodLiteral).values]
  }
  return flat(liveMessage).map(({ shape }) => ({
    entity: (shape.entity as z.ZodLiteral).value,
    actions: values(shape.action),
    properties: values(shape.property),
    payload: fieldsOf(shape.payload),
    fields: Object.keys(shape),
  }))
}
