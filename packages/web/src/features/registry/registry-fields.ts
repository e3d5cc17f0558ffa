import {
  GATEWAY_NAME,
  INSTALLED_PRODUCT_ID,
  INSTRUMENT_FAMILY,
  INSTRUMENT_TYPE,
  REGISTRY_KEY,
  TEMPLATE_KEY,
} from '@benchwatch/contract/patterns'
import { severities, severityNames } from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'
import type { RegistryKind, RegistryObject, RegistryValue } from './registry.api.ts'

/**
 * Describes the fields of each kind of registry object; forms, checks and import templates are made from it. The
 * server's rules are in the contract (`registry.ts`) and are checked there again.
 */

/** The content of a registry form: texts as typed, and checkboxes. Empty texts are absent values. */
export type RegistryDraft = Record<string, string | boolean>

type Input =
  | { kind: 'text'; maxLength: number }
  /** Several lines; `html` adds a preview. */
  | { kind: 'lines'; maxLength: number; html?: boolean }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'yes-no' }
  | { kind: 'date' }
  | { kind: 'choice'; options: readonly { value: string; label: string }[] }
  /** The key of an object of another kind. */
  | { kind: 'reference'; to: RegistryKind }
  | { kind: 'time-zone' }

export interface RegistryField {
  /** Name on the wire. */
  name: string
  label: string
  input: Input
  required?: boolean
  hint?: string
  /** Title of the group that starts with this field. */
  opens?: string
  /** Example in the import template. */
  example: string
}

export interface RegistryKindFields {
  keyLabel: string
  keyHint: string
  keyPattern: RegExp
  keyExample: string
  fields: readonly RegistryField[]
}

const text = (maxLength: number): Input => ({ kind: 'text', maxLength })
const lines = (maxLength: number): Input => ({ kind: 'lines', maxLength })
const html: Input = { kind: 'lines', maxLength: 50_000, html: true }
const date: Input = { kind: 'date' }
const reference = (to: RegistryKind): Input => ({ kind: 'reference', to })

const customer: RegistryField = {
  name: 'customer',
  label: 'Customer',
  input: reference('customers'),
  required: true,
  example: 'helix-biologics',
}

const severityOptions = severities.map((severity) => ({ value: severity, label: severityNames[severity] }))

const plainKey = { keyHint: 'Up to 120 characters without spaces, /, ? and #.', keyPattern: REGISTRY_KEY }

export const registryFields: Record<RegistryKind, RegistryKindFields> = {
  customers: {
    ...plainKey,
    keyLabel: 'Customer key',
    keyExample: 'helix-biologics',
    fields: [{ name: 'name', label: 'Name', input: text(200), required: true, example: 'Helix Biologics' }],
  },
  sites: {
    ...plainKey,
    keyLabel: 'Site key',
    keyExample: 'helix-uppsala',
    fields: [
      customer,
      { name: 'name', label: 'Name', input: text(200), example: 'Uppsala plant' },
      { name: 'street', label: 'Street', input: text(200), opens: 'Address', example: 'Rapsgatan 7' },
      { name: 'zip', label: 'Postal code', input: text(40), example: '754 50' },
      { name: 'city', label: 'City', input: text(120), example: 'Uppsala' },
      { name: 'country', label: 'Country', input: text(120), example: 'Sweden' },
      { name: 'region', label: 'Region', input: text(120), example: 'EMEA' },
      { name: 'subRegion', label: 'Sub-region', input: text(120), example: 'Nordics' },
      {
        name: 'latitude',
        label: 'Latitude',
        input: { kind: 'number', min: -90, max: 90 },
        opens: 'Position and time zone',
        hint: 'Degrees, such as 59.85882. Enter both latitude and longitude.',
        example: '59.85882',
      },
      {
        name: 'longitude',
        label: 'Longitude',
        input: { kind: 'number', min: -180, max: 180 },
        hint: 'Degrees, such as 17.63889.',
        example: '17.63889',
      },
      {
        name: 'timeZone',
        label: 'Time zone',
        input: { kind: 'time-zone' },
        required: true,
        hint: 'Run time is counted in days of this zone.',
        example: 'Europe/Stockholm',
      },
    ],
  },
  contracts: {
    ...plainKey,
    keyLabel: 'Contract number',
    keyExample: 'C-100200',
    fields: [
      customer,
      { name: 'type', label: 'Type', input: text(120), example: 'Service' },
      {
        name: 'slaTerm',
        label: 'SLA term',
        input: text(120),
        hint: 'Terms such as “24/7 Global” or “… 24 h” mean support around the clock.',
        example: '24/7 Global',
      },
      { name: 'startDate', label: 'First day', input: date, example: '2026-01-01' },
      { name: 'endDate', label: 'Last day', input: date, example: '2027-12-31' },
      { name: 'tierOne', label: 'Tier 1', input: { kind: 'yes-no' }, example: 'false' },
    ],
  },
  contacts: {
    ...plainKey,
    keyLabel: 'E-mail address',
    keyHint: 'As given by the customer.',
    keyExample: 'lab@helixbio.example',
    fields: [
      customer,
      { name: 'name', label: 'Name', input: text(200), example: 'Maria Holm' },
      { name: 'phone', label: 'Phone', input: text(60), example: '+46 18 555 01 00' },
      { name: 'mobile', label: 'Mobile', input: text(60), example: '+46 70 555 01 01' },
    ],
  },
  'instrument-families': {
    keyLabel: 'Family key',
    keyHint: 'Up to 60 characters with single spaces, without /, ? and #. Not “All”.',
    keyPattern: INSTRUMENT_FAMILY,
    keyExample: 'Freezers',
    fields: [
      {
        name: 'label',
        label: 'Label',
        input: text(60),
        required: true,
        hint: 'Shown on the tab.',
        example: 'Freezers',
      },
      {
        name: 'position',
        label: 'Position',
        input: { kind: 'number', min: 0, max: 1_000_000 },
        required: true,
        hint: 'Tabs are in order of their positions, lowest first.',
        example: '1200',
      },
    ],
  },
  'instrument-types': {
    keyLabel: 'Type key',
    keyHint: 'Up to 40 letters, digits, dots, hyphens and underscores.',
    keyPattern: INSTRUMENT_TYPE,
    keyExample: 'ULT-Freezer',
    fields: [
      { name: 'label', label: 'Label', input: text(60), required: true, example: 'ULT freezer' },
      {
        name: 'family',
        label: 'Family',
        input: reference('instrument-families'),
        required: true,
        hint: 'Its tab shows the instruments of this type.',
        example: 'Freezers',
      },
    ],
  },
  instruments: {
    keyLabel: 'Installed product ID',
    keyHint: 'Up to 64 letters, digits, dots, hyphens and underscores.',
    keyPattern: INSTALLED_PRODUCT_ID,
    keyExample: 'IP-20431187',
    fields: [
      {
        name: 'type',
        label: 'Instrument type',
        input: reference('instrument-types'),
        required: true,
        example: 'AKTAPilot600',
      },
      {
        name: 'productDescription',
        label: 'Product description',
        input: text(200),
        required: true,
        example: 'ÄKTA pilot 600',
      },
      { name: 'systemName', label: 'System name', input: text(200), example: 'Pilot 2' },
      { name: 'qualifiedSystem', label: 'Qualified system', input: { kind: 'yes-no' }, example: 'true' },
      {
        name: 'site',
        label: 'Site',
        input: reference('sites'),
        required: true,
        opens: 'Location',
        hint: 'The instrument belongs to the site’s customer.',
        example: 'helix-uppsala',
      },
      { name: 'gateway', label: 'Gateway', input: reference('gateways'), example: 'GW-UPP-01' },
      { name: 'building', label: 'Building', input: text(120), example: '7' },
      { name: 'room', label: 'Room', input: text(120), example: '214' },
      {
        name: 'contract',
        label: 'Contract',
        input: reference('contracts'),
        opens: 'Contract and contacts',
        example: 'C-100200',
      },
      { name: 'contact', label: 'Contact', input: reference('contacts'), example: 'lab@helixbio.example' },
      { name: 'itContact', label: 'IT contact', input: reference('contacts'), example: 'it@helixbio.example' },
      { name: 'installationDate', label: 'Installed', input: date, opens: 'Dates', example: '2024-03-18' },
      { name: 'lastMaintenance', label: 'Last maintenance', input: date, example: '2026-06-02' },
      { name: 'lastService', label: 'Last service', input: date, example: '2026-06-02' },
      { name: 'nextService', label: 'Next service', input: date, example: '2027-06-01' },
    ],
  },
  gateways: {
    keyLabel: 'Gateway name',
    keyHint: 'Up to 64 letters, digits, dots, hyphens and underscores.',
    keyPattern: GATEWAY_NAME,
    keyExample: 'GW-UPP-01',
    fields: [
      { name: 'site', label: 'Site', input: reference('sites'), required: true, example: 'helix-uppsala' },
      {
        name: 'installedProductId',
        label: 'Installed product ID',
        input: text(64),
        hint: 'Shown on edge issues. Empty: same as the gateway’s name.',
        example: 'GW-UPP-01',
      },
      { name: 'location', label: 'Location', input: text(200), example: 'Building 7, server room' },
    ],
  },
  'event-templates': {
    keyLabel: 'Template',
    keyHint: 'Instrument type and template id, such as AKTAPilot600/P9B-1042.',
    keyPattern: TEMPLATE_KEY,
    keyExample: 'AKTAPilot600/P9B-1042',
    fields: [
      {
        name: 'severity',
        label: 'Severity',
        input: { kind: 'choice', options: severityOptions },
        required: true,
        example: 'high',
      },
      {
        name: 'description',
        label: 'Description',
        input: lines(10_000),
        required: true,
        example: 'Pressure above limit, pump B',
      },
      {
        name: 'userMessage',
        label: 'Message to the user',
        input: lines(10_000),
        example: 'Check the flow path.',
      },
      { name: 'troubleshooting', label: 'Troubleshooting', input: html, example: '<p>Check for kinked tubing.</p>' },
      { name: 'remedy', label: 'Remedy', input: html, example: '<p>Replace the inlet filter.</p>' },
    ],
  },
}

/** Returns the form of an object; of a new one if `null`. */
export function registryDraft(fields: readonly RegistryField[], object: RegistryObject | null): RegistryDraft {
  return Object.fromEntries(fields.map((field) => [field.name, draftValue(field, object?.[field.name] ?? null)]))
}

function draftValue({ input, name }: RegistryField, value: RegistryValue): string | boolean {
  if (input.kind === 'yes-no') return value === true
  // Sites without a time zone use UTC (wire 13).
  if (name === 'timeZone' && value === null) return 'UTC'
  return value === null ? '' : String(value)
}

/** Returns the body of the request. The draft must have no problems. */
export function registryInput(fields: readonly RegistryField[], draft: RegistryDraft): Record<string, RegistryValue> {
  return Object.fromEntries(fields.map((field) => [field.name, inputValue(field, draft[field.name] ?? '')]))
}

function inputValue({ input }: RegistryField, value: string | boolean): RegistryValue {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (text === '') return null
  return input.kind === 'number' ? Number(text.replace(',', '.')) : text
}

/** Returns the problems that prevent saving, by field. */
export function registryProblems(fields: readonly RegistryField[], draft: RegistryDraft): FieldProblems {
  const found: Record<string, string> = {}
  for (const field of fields) {
    const problem = fieldProblem(field, draft[field.name] ?? '')
    if (problem !== null) found[field.name] = problem
  }
  const [hasLatitude, hasLongitude] = [draft.latitude, draft.longitude].map((value) => (value ?? '') !== '')
  if (hasLatitude && !hasLongitude) found.longitude ??= 'Enter both latitude and longitude.'
  if (hasLongitude && !hasLatitude) found.latitude ??= 'Enter both latitude and longitude.'
  return found
}

function fieldProblem({ input, required, label }: RegistryField, value: string | boolean): string | null {
  if (typeof value === 'boolean') return null
  const text = value.trim()
  if (text === '') {
    if (required !== true) return null
    return input.kind === 'reference' || input.kind === 'choice' || input.kind === 'time-zone'
      ? `Choose ${withArticle(label)}.`
      : `Enter ${withArticle(label)}.`
  }
  if (input.kind === 'number') {
    const number = Number(text.replace(',', '.'))
    if (!Number.isFinite(number) || number < input.min || number > input.max)
      return `Enter a number from ${input.min} to ${input.max}.`
  }
  if (input.kind === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'Enter a date such as 31 Dec 2026.'
  return null
}

function withArticle(label: string): string {
  const word = label.charAt(0).toLowerCase() + label.slice(1)
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

export function keyProblem({ keyPattern, keyLabel, keyHint }: RegistryKindFields, key: string): string | null {
  if (key.trim() === '') return `Enter ${withArticle(keyLabel)}.`
  return keyPattern.test(key.trim()) ? null : keyHint
}
