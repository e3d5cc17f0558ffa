import type { EventLocation, FilterCounts, ServiceEvent } from '@benchwatch/contract/events/events'
import type { EventFilterCategory, EventOrderBy } from '@benchwatch/contract/vocabulary'
import { alertStatuses, eventFilterCategories, excluding } from '@benchwatch/contract/vocabulary'
import type { EventQuery } from '../../features/events/search/filters.queries.ts'

/**
 * Searches, counts and sorts events by looking at each of them, as the specification describes it: the reference for
 * the queries in tests. Slow and simple on purpose; shares no code with the queries.
 */

/** The fields that a search uses, as on the wire. */
export type PlainAlarm = Pick<
  ServiceEvent,
  | 'id'
  | 'eventId'
  | 'createdAt'
  | 'severity'
  | 'alertType'
  | 'alertStatus'
  | 'claimedBy'
  | 'claimedByName'
  | 'reasonClosed'
  | 'automaticEmailSentAt'
  | 'description'
  | 'userMessage'
  | 'componentName'
  | 'componentType'
  | 'instrumentId'
  | 'instrumentInstalledProductId'
  | 'instrumentProductDescription'
  | 'instrumentDefinedSystemName'
  | 'instrumentType'
  | 'instrumentStatus'
  | 'run'
  | 'qualifiedSystem'
  | 'fullSupport'
  | 'enterpriseName'
  | 'siteStreet'
  | 'siteZip'
  | 'siteCity'
  | 'siteCountry'
  | 'siteRegion'
  | 'instrumentLocationLatitude'
  | 'instrumentLocationLongitude'
  | 'cpSLATerm'
>

/** An event as on the wire, with two values that only the database has. */
export interface PlainEvent<Alarm extends PlainAlarm = PlainAlarm> {
  alarm: Alarm
  customerId: number
  lastActionAt: Date
}

const HOUR_MS = 3_600_000

/** The value of an event in a category, as a filter names it at a moment; null if it has none. */
export const plainValueOf: Record<EventFilterCategory, (alarm: PlainAlarm, now: Date) => string | null> = {
  alertStatus: (alarm) => alarm.alertStatus,
  alertType: (alarm) => String(alarm.alertType),
  severity: (alarm) => alarm.severity,
  owner: (alarm) => alarm.claimedBy ?? 'none',
  reasonClosed: (alarm) => alarm.reasonClosed,
  componentName: (alarm) => alarm.componentName,
  componentType: (alarm) => alarm.componentType,
  instrumentType: (alarm) => alarm.instrumentType,
  instrumentStatus: (alarm) => alarm.instrumentStatus,
  run: (alarm) => alarm.run,
  contractSLA: (alarm) => alarm.cpSLATerm,
  contractClock: (alarm, now) => {
    if (!hasContractClock(alarm)) return alarm.fullSupport ? 'stopped' : null
    const hours = (now.getTime() - Date.parse(alarm.createdAt)) / HOUR_MS
    if (hours > 24) return 'overdue'
    return hours > 20 ? 'under4h' : 'over4h'
  },
  enterpriseName: (alarm) => alarm.enterpriseName,
  siteRegion: (alarm) => alarm.siteRegion,
  siteCountry: (alarm) => alarm.siteCountry,
  siteCity: (alarm) => alarm.siteCity,
  qualifiedSystem: (alarm) => (alarm.qualifiedSystem === null ? null : String(alarm.qualifiedSystem)),
}

interface SearchInput {
  search: EventQuery
  scope: 'all' | readonly number[]
  now: Date
}

export function plainMatches(
  { alarm, customerId, lastActionAt }: PlainEvent,
  { search, scope, now }: SearchInput,
): boolean {
  return (
    isFound({ alarm, customerId, lastActionAt }, { search, scope, now }) &&
    isInRange(alarm, search) &&
    (!search.flags?.noOwner || isNoOwner(alarm, now)) &&
    (!search.flags?.noAction || isNoAction({ alarm, lastActionAt }, now)) &&
    (!search.flags?.fullSupport || (alarm.alertStatus !== '3_CLOSED' && alarm.fullSupport))
  )
}

export function plainTotals(events: readonly PlainEvent[], input: SearchInput) {
  const { search, now } = input
  const matching = events.filter((event) => plainMatches(event, input))
  const unflagged = events.filter((event) => plainMatches(event, { ...input, search: { ...search, flags: {} } }))
  const older = { ...search, start: undefined, stop: search.start }
  const distinct = (of: (event: PlainEvent) => unknown) =>
    new Set(
      matching
        .map(of)
        .filter((value) => value !== null)
        .map((value) => JSON.stringify(value)),
    ).size
  return {
    events: matching.length,
    instruments: distinct(({ alarm }) => alarm.instrumentId),
    components: distinct(({ alarm: { instrumentId, componentName } }) =>
      instrumentId === null || componentName === null ? null : [instrumentId, componentName],
    ),
    // Two customers may have the same name.
    customers: distinct(({ customerId }) => customerId),
    locations: distinct(({ customerId, alarm: { siteStreet, siteZip, siteCity, siteCountry } }) => [
      customerId,
      siteStreet,
      siteZip,
      siteCity,
      siteCountry,
    ]),
    noOwnerEvents: unflagged.filter(({ alarm }) => isNoOwner(alarm, now)).length,
    noActionEvents: unflagged.filter((event) => isNoAction(event, now)).length,
    fullSupportEvents: unflagged.filter(({ alarm }) => alarm.alertStatus !== '3_CLOSED' && alarm.fullSupport).length,
    olderOpenEvents: search.start
      ? events.filter(
          (event) => event.alarm.alertStatus !== '3_CLOSED' && plainMatches(event, { ...input, search: older }),
        ).length
      : 0,
  }
}

type PlainPlace = Pick<EventLocation, 'high' | 'medium' | 'low' | 'openHigh' | 'openMedium' | 'openLow'>

const openCounts = { high: 'openHigh', medium: 'openMedium', low: 'openLow' } as const

/**
 * Returns the map of a search: the number of events and of open events of each severity at each position, and
 * the number without a position.
 */
export function plainPlaces(events: readonly PlainEvent[], input: SearchInput) {
  const places = new Map<string, PlainPlace>()
  let eventsWithoutPosition = 0
  for (const { alarm } of events.filter((event) => plainMatches(event, input))) {
    const { instrumentLocationLatitude: latitude, instrumentLocationLongitude: longitude } = alarm
    if (latitude === null || longitude === null) {
      eventsWithoutPosition += 1
      continue
    }
    const key = `${latitude} ${longitude}`
    const place = places.get(key) ?? { high: 0, medium: 0, low: 0, openHigh: 0, openMedium: 0, openLow: 0 }
    place[alarm.severity] += 1
    if (alarm.alertStatus !== '3_CLOSED') place[openCounts[alarm.severity]] += 1
    places.set(key, place)
  }
  return { places, eventsWithoutPosition }
}

/**
 * Returns the number of events of each value, as `category value` in lower case, each within the rest of the search: the
 * values of a category itself do not restrict it.
 */
export function plainCounts(events: readonly PlainEvent[], input: SearchInput): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of eventFilterCategories) {
    const filter = { ...input.search.filter, [key]: [], [excluding(key)]: [] }
    for (const event of events) {
      const value = plainValueOf[key](event.alarm, input.now)
      if (!value || !plainMatches(event, { ...input, search: { ...input.search, filter } })) continue
      const name = `${key} ${value.toLowerCase()}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

/** Names the counts of an answer as `plainCounts` does. */
export function countsByName(values: FilterCounts['values']): Map<string, number> {
  return new Map(
    values.flatMap(({ key, counts }) => counts.map(({ value, events }) => [`${key} ${value.toLowerCase()}`, events])),
  )
}

function isFound({ alarm, customerId }: PlainEvent, { search, scope, now }: SearchInput): boolean {
  if (scope !== 'all' && !scope.includes(customerId)) return false
  for (const [name, values] of Object.entries(search.filter)) {
    if (!values?.length) continue
    const value = plainValueOf[name.replace('!', '') as EventFilterCategory](alarm, now)
    const isNamed = value !== null && values.some((input) => input.toLowerCase() === value.toLowerCase())
    if (isNamed === name.endsWith('!')) return false
  }
  const { positions } = search
  if (
    positions?.length &&
    !positions.some(
      ([latitude, longitude]) =>
        latitude === alarm.instrumentLocationLatitude && longitude === alarm.instrumentLocationLongitude,
    )
  ) {
    return false
  }
  return foldPlainly(search.keyword ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => holdsWord(alarm, word))
}

function holdsWord(alarm: PlainAlarm, word: string): boolean {
  const { short, long } = foldedFields(alarm)
  const isStartOfId =
    alarm.eventId.startsWith(word) || (word.startsWith('orc-') && `orc-${alarm.eventId}`.startsWith(word))
  const isShort = [...word].length < 3
  return isStartOfId || (isShort ? short : [...short, ...long]).some((field) => field.includes(word))
}

interface FoldedFields {
  short: string[]
  long: string[]
}

/** Cache, because many searches look at the same event. */
const folded = new WeakMap<PlainAlarm, FoldedFields>()

function foldedFields(alarm: PlainAlarm): FoldedFields {
  const known = folded.get(alarm)
  if (known) return known
  const foldAll = (fields: (string | null)[]) => fields.filter((field) => field !== null).map(foldPlainly)
  const fields = {
    short: foldAll([
      alarm.componentName,
      alarm.instrumentProductDescription,
      alarm.instrumentDefinedSystemName,
      alarm.instrumentInstalledProductId,
      alarm.enterpriseName,
      alarm.siteCity,
      alarm.siteCountry,
      alarm.claimedByName === '(No name configured)' ? null : alarm.claimedByName,
    ]),
    long: foldAll([alarm.description, alarm.userMessage]),
  }
  folded.set(alarm, fields)
  return fields
}

/** Folds to lower case and NFKD without marks, and replaces five letters that NFKD does not decompose. */
function foldPlainly(text: string): string {
  let result = ''
  for (const letter of text.toLowerCase().normalize('NFKD')) {
    if (/\p{M}/u.test(letter)) continue
    if (letter === 'ø') result += 'o'
    else if (letter === 'ł') result += 'l'
    else if (letter === 'ß') result += 'ss'
    else if (letter === 'æ') result += 'ae'
    else if (letter === 'đ') result += 'd'
    else result += letter
  }
  return result
}

function isInRange({ createdAt }: PlainAlarm, { start, stop }: EventQuery): boolean {
  const at = Date.parse(createdAt)
  return (!start || at >= start.getTime()) && (!stop || at < stop.getTime())
}

/** Open, under a 24-hour contract, and without an owner. */
function hasContractClock({ alertStatus, fullSupport, claimedBy }: PlainAlarm): boolean {
  return alertStatus !== '3_CLOSED' && fullSupport && claimedBy === null
}

function isNoOwner({ alertStatus, claimedBy, createdAt }: PlainAlarm, now: Date): boolean {
  return alertStatus === '1_NEW' && claimedBy === null && now.getTime() - Date.parse(createdAt) >= 2 * HOUR_MS
}

function isNoAction({ alarm, lastActionAt }: Pick<PlainEvent, 'alarm' | 'lastActionAt'>, now: Date): boolean {
  return alarm.alertStatus === '2_IN_PROGRESS' && now.getTime() - lastActionAt.getTime() >= 24 * HOUR_MS
}

const collator = new Intl.Collator('und')
const severityOrder = ['low', 'medium', 'high']

const sortValue: Record<
  Exclude<EventOrderBy, 'contractClock'>,
  (alarm: PlainAlarm) => string | number | Buffer | null
> = {
  createdAt: (alarm) => Date.parse(alarm.createdAt),
  severity: (alarm) => severityOrder.indexOf(alarm.severity),
  eventId: (alarm) => Number(alarm.eventId),
  description: (alarm) => Buffer.from(foldPlainly(alarm.description)),
  instrumentStatus: (alarm) => alarm.instrumentStatus,
  instrumentProductDescription: (alarm) => alarm.instrumentProductDescription,
  instrumentInstalledProductId: (alarm) => alarm.instrumentInstalledProductId,
  siteCity: (alarm) => alarm.siteCity,
  enterpriseName: (alarm) => alarm.enterpriseName,
  claimedBy: (alarm) => alarm.claimedByName,
  alertStatus: (alarm) => alertStatuses.indexOf(alarm.alertStatus),
  automaticEmailSentAt: (alarm) => alarm.automaticEmailSentAt && Date.parse(alarm.automaticEmailSentAt),
}

/**
 * Returns ids in order: missing values last, equal ones by id; descending is exactly the reverse. By contract clock,
 * events without one are last in both directions.
 */
export function plainOrder(
  alarms: readonly PlainAlarm[],
  { orderBy, order }: { orderBy: EventOrderBy; order: 'ASC' | 'DESC' },
): string[] {
  if (orderBy === 'contractClock') {
    const others = alarms.filter((alarm) => !hasContractClock(alarm))
    return [
      ...plainOrder(alarms.filter(hasContractClock), { orderBy: 'createdAt', order }),
      ...plainOrder(others, { orderBy: 'eventId', order }),
    ]
  }
  const value = sortValue[orderBy]
  const ascending = [...alarms].sort((a, b) => compare(value(a), value(b)) || Number(a.id) - Number(b.id))
  return (order === 'ASC' ? ascending : ascending.reverse()).map(({ id }) => id)
}

/** Compares names as readers expect, and descriptions by the bytes of their folded text. */
function compare(a: string | number | Buffer | null, b: string | number | Buffer | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return a.compare(b)
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return collator.compare(String(a), String(b)) || (a < b ? -1 : a > b ? 1 : 0)
}
