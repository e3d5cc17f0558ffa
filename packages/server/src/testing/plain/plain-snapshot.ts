import { closeReasons, type InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Trx } from '../../db/connect.ts'
import type { PlainAlarm, PlainEvent } from './plain-search.ts'

/** An event of a snapshot, with the expected value of its 24-hour flag. */
export interface SnapshotEvent extends PlainEvent {
  /** True if the instrument belongs to another customer now. */
  hasMoved: boolean
  /** Null if the flag keeps its value: closed events, edge issues, events of a former customer of the instrument. */
  expectedFullSupport: boolean | null
}

/** Everything that searches use, read at one moment. */
export interface PlainSnapshot {
  events: SnapshotEvent[]
  customers: { id: number; name: string }[]
  users: { id: number; name: string | null }[]
}

/**
 * Reads whole tables and combines the events in memory without joins, so that no code is shared with the queries under
 * test. `trx` is the transaction whose snapshot they also read.
 */
export async function readPlainSnapshot(trx: Trx): Promise<PlainSnapshot> {
  const events = await trx.selectFrom('service_event').selectAll().execute()
  const instruments = byId(await trx.selectFrom('instrument').selectAll().execute())
  const contracts = byId(await trx.selectFrom('contract').selectAll().execute())
  const sites = byId(await trx.selectFrom('site').selectAll().execute())
  const components = byId(await trx.selectFrom('component').selectAll().execute())
  const gateways = byId(await trx.selectFrom('gateway').selectAll().execute())
  const customers = byId(await trx.selectFrom('customer').selectAll().execute())
  const users = byId(await trx.selectFrom('app_user').selectAll().execute())
  const runs = byId(await trx.selectFrom('run').selectAll().execute())
  const composed = events.map((event): SnapshotEvent => {
    const site = known(sites, event.site_id)
    const instrument = event.instrument_id === null ? null : known(instruments, event.instrument_id)
    const component = event.component_id === null ? null : known(components, event.component_id)
    const owner = event.claimed_by === null ? null : known(users, event.claimed_by)
    // The instrument's current data belong to its current customer.
    const current = instrument?.customer_id === event.customer_id ? instrument : null
    const contract = current && current.contract_id !== null ? known(contracts, current.contract_id) : null
    const gateway = event.gateway_id === null ? null : known(gateways, event.gateway_id)
    const alarm: PlainAlarm = {
      id: String(event.id),
      eventId: String(event.id),
      createdAt: event.created_at.toISOString(),
      severity: word(['low', 'medium', 'high'] as const, event.severity),
      alertType: event.alert_type === 1 ? 1 : 2,
      alertStatus: word(['1_NEW', '2_IN_PROGRESS', '3_CLOSED'] as const, event.alert_status),
      claimedBy: owner && (owner.role === 'system' ? 'SYSTEM' : String(owner.id)),
      claimedByName: owner && (owner.name ?? '(No name configured)'),
      reasonClosed: event.reason_closed === null ? null : word(closeReasons, event.reason_closed),
      automaticEmailSentAt: event.automatic_email_sent_at?.toISOString() ?? null,
      description: event.description,
      userMessage: event.user_message,
      componentName: component?.name ?? null,
      componentType: component?.type ?? null,
      instrumentId: instrument && String(instrument.id),
      instrumentInstalledProductId: instrument?.installed_product_id ?? gateway?.installed_product_id ?? '',
      instrumentProductDescription: instrument?.product_description ?? null,
      instrumentDefinedSystemName: current?.system_name ?? null,
      instrumentType: instrument?.type ?? null,
      instrumentStatus: (current?.status as InstrumentStatus | undefined) ?? null,
      run: event.run_id === null ? null : known(runs, event.run_id).name,
      qualifiedSystem: instrument?.qualified_system ?? null,
      fullSupport: event.full_support,
      enterpriseName: known(customers, event.customer_id).name,
      siteStreet: site.street,
      siteZip: site.zip,
      siteCity: site.city,
      siteCountry: site.country,
      siteRegion: site.region,
      instrumentLocationLatitude: site.latitude === null ? null : Number(site.latitude),
      instrumentLocationLongitude: site.longitude === null ? null : Number(site.longitude),
      cpSLATerm: contract?.sla_term ?? null,
    }
    return {
      alarm,
      customerId: event.customer_id,
      lastActionAt: event.last_action_at,
      hasMoved: instrument !== null && current === null,
      expectedFullSupport:
        current === null || event.alert_status === 3
          ? null
          : contract !== null && promisesHelp(contract, dayIn(site.time_zone, event.created_at)),
    }
  })
  return { events: composed, customers: [...customers.values()], users: [...users.values()] }
}

const REGIONS =
  'Global|EMEA|Americas|North America|Latin America|APAC|Japan|China|India|Korea|ANZ|Nordics|DACH|UK&I|France|Benelux|' +
  'Iberia|Italy|CEE|Middle East|Africa'
const FIXED_TERMS = new RegExp(`^(24/7 (${REGIONS})|Platinum 24/7|Premium 24x7)$`)

interface ContractTerms {
  sla_term: string | null
  start_date: string | null
  end_date: string | null
}

/** Specification, 24-hour contract: its term, and an active contract on the day of the event. */
function promisesHelp({ sla_term, start_date, end_date }: ContractTerms, day: string): boolean {
  if (sla_term === null) return false
  if (!FIXED_TERMS.test(sla_term) && !/\b24\s*(h|hrs?|hours?)\b/i.test(sla_term)) return false
  return (start_date === null || start_date <= day) && (end_date === null || day <= end_date)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

function dayIn(timeZone: string, at: Date): string {
  const calendar =
    calendars.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  calendars.set(timeZone, calendar)
  const part = (wanted: string) => calendar.formatToParts(at).find(({ type }) => type === wanted)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function known<Row>(rows: ReadonlyMap<number, Row>, id: number): Row {
  const row = rows.get(id)
  if (row === undefined) throw new Error(`A reference leads to ${id}, which does not exist.`)
  return row
}

/** Codes start at 1. */
function word<T>(words: readonly T[], code: number): T {
  const found = words[code - 1]
  if (found === undefined) throw new Error(`${code} is none of ${words.join(', ')}.`)
  return found
}
