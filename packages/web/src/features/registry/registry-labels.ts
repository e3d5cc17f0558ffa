import { registryKinds } from '@benchwatch/contract/vocabulary'
import { type KnownTypes, typeLabel } from '../../lib/instrument-type.ts'
import { formatEventDate, formatEventTime } from '../../lib/time/dates.ts'
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

export interface RegistryColumn {
  label: string
  width?: string
  text: (object: RegistryObject, types: KnownTypes) => string
}

const NONE = '–'
const column = (name: string, label: string, width = '1fr'): RegistryColumn => ({
  label,
  width,
  text: (object) => wordsOf(object[name]),
})

const day = (name: string, label: string): RegistryColumn => ({
  label,
  width: '110px',
  text: (object) => {
    const value = object[name]
    return typeof value === 'string' ? formatEventDate(value) : NONE
  },
})

function wordsOf(value: RegistryObject[string] | undefined): string {
  if (value === null || value === undefined || value === '') return NONE
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

/** Columns after the key. */
export const registryColumns: Record<RegistryKind, readonly RegistryColumn[]> = {
  customers: [column('name', 'Name', '2fr')],
  sites: [
    column('name', 'Name', '1.2fr'),
    column('customer', 'Customer'),
    column('city', 'City'),
    column('country', 'Country'),
    column('timeZone', 'Time zone', '1.1fr'),
  ],
  contracts: [
    column('customer', 'Customer'),
    column('type', 'Type'),
    column('slaTerm', 'SLA term', '1.2fr'),
    day('startDate', 'First day'),
    day('endDate', 'Last day'),
  ],
  contacts: [
    column('name', 'Name'),
    column('customer', 'Customer'),
    column('phone', 'Phone'),
    column('mobile', 'Mobile'),
  ],
  'instrument-families': [column('label', 'Label', '2fr'), column('position', 'Position', '110px')],
  'instrument-types': [column('label', 'Label', '2fr'), column('family', 'Family')],
  instruments: [
    { label: 'Type', width: '1fr', text: ({ type }, types) => typeLabel(types, String(type)) },
    column('systemName', 'System name'),
    column('site', 'Site', '1.1fr'),
    column('gateway', 'Gateway'),
    column('contract', 'Contract'),
    day('nextService', 'Next service'),
  ],
  gateways: [
    column('site', 'Site'),
    column('location', 'Location', '1.6fr'),
    column('installedProductId', 'Product ID'),
    {
      label: 'Last seen',
      width: '1fr',
      text: ({ lastSeenAt }) => (typeof lastSeenAt === 'string' ? formatEventTime(lastSeenAt) : 'Never'),
    },
  ],
  'event-templates': [column('severity', 'Severity', '90px'), column('description', 'Description', '3fr')],
}

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
