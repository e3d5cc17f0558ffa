import { registryKinds } from '@benchwatch/contract/vocabulary'
import { type KnownTypes, typeLabel } from '../../lib/instrument-type.ts'
import { formatInstrumentDate, formatInstrumentTime } from '../../lib/time/dates.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import type { RegistryKind, RegistryObject } from './registry.api.ts'

/** Names of the registry kinds and the columns of their lists. */

export const kindLabels: Record<RegistryKind, { one: string; many: string; explains: string }> = {
  customers: {
    one: 'customer',
    many: 'Customers',
    explains: 'Customers own sites, contracts and contacts, and determine which instruments users see.',
  },
  sites: { one: 'site', many: 'Sites', explains: 'Locations of instruments and gateways, with their time zones.' },
  contracts: { one: 'contract', many: 'Contracts', explains: 'Service contracts of customers: SLA and dates.' },
  contacts: { one: 'contact', many: 'Contacts', explains: 'Contact persons, who also get support e-mails.' },
  'instrument-families': {
    one: 'instrument family',
    many: 'Instrument families',
    explains: 'Families are the tabs of the instrument list, in order of their positions.',
  },
  'instrument-types': {
    one: 'instrument type',
    many: 'Instrument types',
    explains: 'Instruments, event templates and e-mail templates have a type. Each type belongs to a family.',
  },
  instruments: {
    one: 'instrument',
    many: 'Instruments',
    explains: 'Connected instruments. Site, contract and contacts must belong to one customer.',
  },
  gateways: {
    one: 'gateway',
    many: 'Gateways',
    explains: 'Gateways send data for the instruments connected to them. Keys are managed under Gateways.',
  },
  'event-templates': {
    one: 'event template',
    many: 'Event templates',
    explains: 'Texts and severity of errors, by instrument type and template ID.',
  },
}

/** Returns the kind that an address names. The address may contain anything; the default is the first kind. */
export function readKind(text: string | undefined): RegistryKind {
  return registryKinds.find((kind) => kind === text) ?? 'customers'
}

const NONE = '–'
type RegistryColumn = Column<RegistryObject>
const column = (key: string, label: string, size: Pick<RegistryColumn, 'grow' | 'width'> = {}): RegistryColumn => ({
  key,
  label,
  ...size,
  cell: ({ [key]: value }) => wordsOf(value),
})

const day = (key: string, label: string): RegistryColumn => ({
  key,
  label,
  width: 110,
  cell: ({ [key]: value }) => (typeof value === 'string' ? formatInstrumentDate(value) : NONE),
})

function wordsOf(value: RegistryObject[string] | undefined): string {
  if (value === null || value === undefined || value === '') return NONE
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

/** Columns after the key. */
export const registryColumns = (types: KnownTypes): Record<RegistryKind, readonly RegistryColumn[]> => ({
  customers: [column('name', 'Name', { grow: 2 })],
  sites: [
    column('name', 'Name', { grow: 1.2 }),
    column('customer', 'Customer'),
    column('city', 'City'),
    column('country', 'Country'),
    column('timeZone', 'Time zone', { grow: 1.1 }),
  ],
  contracts: [
    column('customer', 'Customer'),
    column('type', 'Type'),
    column('slaTerm', 'SLA term', { grow: 1.2 }),
    day('startDate', 'First day'),
    day('endDate', 'Last day'),
  ],
  contacts: [
    column('name', 'Name'),
    column('customer', 'Customer'),
    column('phone', 'Phone'),
    column('mobile', 'Mobile'),
  ],
  'instrument-families': [column('label', 'Label', { grow: 2 }), column('position', 'Position', { width: 110 })],
  'instrument-types': [column('label', 'Label', { grow: 2 }), column('family', 'Family')],
  instruments: [
    { key: 'type', label: 'Type', cell: ({ type }) => typeLabel(types, String(type)) },
    column('systemName', 'System name'),
    column('site', 'Site', { grow: 1.1 }),
    column('gateway', 'Gateway'),
    column('contract', 'Contract'),
    day('nextService', 'Next service'),
  ],
  gateways: [
    column('site', 'Site'),
    column('location', 'Location', { grow: 1.6 }),
    column('installedProductId', 'Product ID'),
    {
      key: 'lastSeenAt',
      label: 'Last seen',
      cell: ({ lastSeenAt }) => (typeof lastSeenAt === 'string' ? formatInstrumentTime(lastSeenAt) : 'Never'),
    },
  ],
  'event-templates': [column('severity', 'Severity', { width: 90 }), column('description', 'Description', { grow: 3 })],
})

/** Returns the name of an object, shown beside its key in titles and options. */
export function objectName(kind: RegistryKind, object: RegistryObject): string | null {
  const names: Record<RegistryKind, string | null> = {
    customers: 'name',
    sites: 'name',
    contracts: 'slaTerm',
    contacts: 'name',
    'instrument-families': 'label',
    'instrument-types': 'label',
    instruments: 'productDescription',
    gateways: 'location',
    'event-templates': 'description',
  }
  const value = object[names[kind] ?? 'key']
  return typeof value === 'string' && value !== '' ? value : null
}
