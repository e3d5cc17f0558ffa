import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  EventTemplateInput,
  GatewayInput,
  InstrumentInput,
  SiteInput,
} from '@benchwatch/contract/administration/registry'

/** A registry object for `PUT /registry/v1/<kind>/<key>`: the key for the URL, the input as the body. */
export interface Keyed<Input> {
  key: string
  input: Input
}
type Overrides<Input> = Partial<Input> & { key?: string }

/**
 * The functions below return one valid object of each kind. The defaults fit together: the instrument is at the site
 * behind the gateway, with the contract and the contact, all of the one customer.
 */

export function aCustomer(overrides: Overrides<CustomerInput> = {}): Keyed<CustomerInput> {
  return keyed<CustomerInput>({ key: 'helix-biologics', name: 'Helix Biologics' }, overrides)
}

export function aSite(overrides: Overrides<SiteInput> = {}): Keyed<SiteInput> {
  return keyed<SiteInput>(
    {
      key: 'helix-biologics-uppsala',
      customer: 'helix-biologics',
      name: 'Helix Biologics Uppsala',
      street: 'Björkgatan 30',
      zip: '753 23',
      city: 'Uppsala',
      country: 'Sweden',
      region: 'EMEA',
      subRegion: 'Nordics',
      latitude: 59.85178,
      longitude: 17.65892,
      timeZone: 'Europe/Stockholm',
    },
    overrides,
  )
}

export function aContract(overrides: Overrides<ContractInput> = {}): Keyed<ContractInput> {
  return keyed<ContractInput>(
    {
      key: 'SC-100001',
      customer: 'helix-biologics',
      type: 'Complete Care',
      slaTerm: 'Platinum 24/7',
      tierOne: true,
      startDate: '2024-07-01',
      endDate: '2027-06-30',
    },
    overrides,
  )
}

export function aContact(overrides: Overrides<ContactInput> = {}): Keyed<ContactInput> {
  return keyed<ContactInput>(
    {
      key: 'maria.oberg@helixbio.example',
      customer: 'helix-biologics',
      name: 'Maria Öberg',
      phone: '+46 18 555 01 20',
      mobile: '+46 70 555 01 20',
    },
    overrides,
  )
}

export function anInstrument(overrides: Overrides<InstrumentInput> = {}): Keyed<InstrumentInput> {
  return keyed<InstrumentInput>(
    {
      key: 'IP-20431187',
      type: 'AKTAPilot600',
      productDescription: 'ÄKTA pilot 600',
      systemName: 'PILOT-UPP-02',
      qualifiedSystem: true,
      site: 'helix-biologics-uppsala',
      gateway: 'GW-UPP-01',
      contract: 'SC-100001',
      contact: 'maria.oberg@helixbio.example',
      itContact: null,
      building: 'Building 7',
      room: 'Room 214',
      installationDate: '2021-05-18',
      lastService: '2026-09-12',
      nextService: '2027-03-12',
      lastMaintenance: '2026-03-14',
    },
    overrides,
  )
}

export function aGateway(overrides: Overrides<GatewayInput> = {}): Keyed<GatewayInput> {
  return keyed<GatewayInput>(
    {
      key: 'GW-UPP-01',
      site: 'helix-biologics-uppsala',
      installedProductId: 'IP-29000001',
      location: 'Building 7, server room',
    },
    overrides,
  )
}

export function anEventTemplate(overrides: Overrides<EventTemplateInput> = {}): Keyed<EventTemplateInput> {
  return keyed<EventTemplateInput>(
    {
      key: 'AKTAPilot600/P9B-1042',
      severity: 'high',
      description: 'Pressure above limit, pump B (P9-B)',
      userMessage: 'The pre-column pressure is too high. The run has been paused.',
      troubleshooting: '<ol><li>Check for kinked tubing after the injection valve.</li></ol>',
      remedy: '<p>Replace the inline filter.</p>',
    },
    overrides,
  )
}

function keyed<Input extends object>(
  defaults: Input & { key: string },
  overrides: Partial<Input> & { key?: string },
): Keyed<Input> {
  const { key, ...input } = { ...defaults, ...overrides }
  return { key: key ?? defaults.key, input: input as unknown as Input }
}
