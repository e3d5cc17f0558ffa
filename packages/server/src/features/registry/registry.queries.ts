import type {
  Contact,
  Contract,
  Customer,
  EventTemplate,
  Gateway,
  InstrumentFamily,
  InstrumentType,
  RegisteredInstrument,
  Site,
} from '@benchwatch/contract/administration/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { severityWord } from '../../db/sql/severity.ts'
import { holdsWords } from '../../db/sql/words.ts'
import type { RegistryKind } from './registry-object.ts'

/** The answers of each kind's reads. */
export interface StoredObjects {
  customers: Customer
  sites: Site
  contracts: Contract
  contacts: Contact
  'instrument-families': InstrumentFamily
  'instrument-types': InstrumentType
  instruments: RegisteredInstrument
  gateways: Gateway
  'event-templates': EventTemplate
}

/** Formats instants in the database as the wire writes them. */
const instant = (column: string) => sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Selects each kind in wire format, with references by key. Callers of the registry may see all customers. */
const stored: Record<RegistryKind, RawBuilder<unknown>> = {
  customers: sql`SELECT key, name FROM customer`,
  sites: sql`
    SELECT s.key, c.key AS customer, s.name, s.street, s.zip, s.city, s.country, s.region, s.sub_region AS "subRegion",
      s.latitude::float8 AS latitude, s.longitude::float8 AS longitude, s.time_zone AS "timeZone"
    FROM site s JOIN customer c ON c.id = s.customer_id`,
  contracts: sql`
    SELECT o.key, c.key AS customer, o.type, o.sla_term AS "slaTerm", o.tier_one AS "tierOne",
      o.start_date AS "startDate", o.end_date AS "endDate"
    FROM contract o JOIN customer c ON c.id = o.customer_id`,
  contacts: sql`
    SELECT o.key, c.key AS customer, o.name, o.phone, o.mobile
    FROM contact o JOIN customer c ON c.id = o.customer_id`,
  'instrument-families': sql`SELECT key, label, position FROM instrument_family`,
  'instrument-types': sql`SELECT key, label, family FROM instrument_type`,
  instruments: sql`
    SELECT i.installed_product_id AS key, i.id::text AS id, i.type, i.product_description AS "productDescription",
      i.system_name AS "systemName", i.qualified_system AS "qualifiedSystem", s.key AS site, g.name AS gateway,
      t.key AS contract, c.key AS contact, ic.key AS "itContact", i.building, i.room,
      i.installation_date AS "installationDate", i.last_service AS "lastService", i.next_service AS "nextService",
      i.last_maintenance AS "lastMaintenance", i.status AS "instrumentStatus", i.orc_status AS "orcStatus",
      ${instant('i.created_at')} AS "createdAt"
    FROM instrument i
    JOIN site s ON s.id = i.site_id
    LEFT JOIN gateway g ON g.id = i.gateway_id
    LEFT JOIN contract t ON t.id = i.contract_id
    LEFT JOIN contact c ON c.id = i.contact_id
    LEFT JOIN contact ic ON ic.id = i.it_contact_id
    WHERE i.deleted_at IS NULL`,
  gateways: sql`
    SELECT g.name AS key, s.key AS site, g.installed_product_id AS "installedProductId", g.location,
      ${instant('g.last_seen_at')} AS "lastSeenAt"
    FROM gateway g JOIN site s ON s.id = g.site_id`,
  'event-templates': sql`
    SELECT t.instrument_type || '/' || t.template_id AS key, t.instrument_type AS "instrumentType",
      t.template_id AS "templateId", ${severityWord('t.severity')} AS severity, t.description,
      t.user_message AS "userMessage", t.troubleshooting, t.remedy
    FROM event_template t`,
}

/** Returns the objects of a kind with these keys, by key; unknown keys are left out. */
export async function storedByKey<K extends RegistryKind>(
  db: Db,
  kind: K,
  keys: readonly string[],
): Promise<Map<string, StoredObjects[K]>> {
  const { rows } = await sql<StoredObjects[K]>`
    SELECT * FROM (${stored[kind]}) AS o WHERE o.key = ANY(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Fields that a keyword search covers: key, names and references. */
const searched: Record<RegistryKind, readonly string[]> = {
  customers: ['key', 'name'],
  sites: ['key', 'name', 'customer', 'city', 'country'],
  contracts: ['key', 'customer', 'type', 'slaTerm'],
  contacts: ['key', 'name', 'customer'],
  'instrument-families': ['key', 'label'],
  'instrument-types': ['key', 'label', 'family'],
  instruments: [
    'key',
    'productDescription',
    'systemName',
    'type',
    'site',
    'gateway',
    'contract',
    'contact',
    'itContact',
  ],
  gateways: ['key', 'site', 'installedProductId', 'location'],
  'event-templates': ['key', 'description'],
}

interface Page {
  keyword?: string | undefined
  limit: number
  offset: number
}

/** Returns a page of a kind in key order, with the number of all objects that contain every word of the keyword. */
export async function storedPage<K extends RegistryKind>(
  db: Db,
  kind: K,
  { keyword, limit, offset }: Page,
): Promise<{ values: StoredObjects[K][]; total: number }> {
  if (keyword) return foundPage(db, kind, { keyword, limit, offset })
  const { rows } = await sql<StoredObjects[K]>`
    SELECT * FROM (${stored[kind]}) AS o ORDER BY o.key LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    SELECT count(*) AS total FROM (${stored[kind]}) AS o`.execute(db)
  return { values: rows, total: counted.rows[0]?.total ?? 0 }
}

/**
 * Searches all keys and texts in memory, where text can be folded: 70 ms of a busy machine for 5,000 instruments, 300
 * ms for 40,000. Folded columns would need a migration of the existing rows, which SQL cannot fold.
 */
async function foundPage<K extends RegistryKind>(
  db: Db,
  kind: K,
  { keyword, limit, offset }: Page & { keyword: string },
): Promise<{ values: StoredObjects[K][]; total: number }> {
  const columns = sql.join(searched[kind].map((column) => sql.ref(`o.${column}`)))
  const { rows } = await sql<{ key: string; text: string }>`
    SELECT o.key, concat_ws(' ', ${columns}) AS text FROM (${stored[kind]}) AS o ORDER BY o.key`.execute(db)
  const matches = holdsWords(keyword)
  const keys = rows.filter(({ text }) => matches(text)).map(({ key }) => key)
  const page = keys.slice(offset, offset + limit)
  const objects = await storedByKey(db, kind, page)
  return { values: page.flatMap((key) => objects.get(key) ?? []), total: keys.length }
}
