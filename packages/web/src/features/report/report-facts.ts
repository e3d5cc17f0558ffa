import type { Instrument } from '@benchwatch/contract/instruments'
import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import { addressLines } from '../../lib/address.ts'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { phoneText } from '../../lib/phone.ts'
import { readNetworkConfigurations } from '../instruments/network-configurations.ts'
import type { ReportFact } from './report-model.ts'

/** What a report says of an instrument by name and value. What is not known keeps its place, so that it can be asked for. */

export function customerFacts(instrument: Instrument): ReportFact[] {
  const address = addressLines({
    street: instrument.instrumentStreetAddress,
    zip: instrument.instrumentZipCode,
    city: instrument.instrumentCity,
    country: instrument.instrumentCountry,
  })
  const phone = (number: string | null) => phoneText(number, instrument.instrumentCountry)
  return [
    fact('Customer', instrument.instrumentCustomer),
    fact('Contact', instrument.instrumentContactName),
    fact('Address', address.join(', ')),
    fact('Phone', phone(instrument.instrumentContactPhone)),
    fact('Region', joined([instrument.instrumentRegion, instrument.instrumentSubRegion])),
    fact('Mobile', phone(instrument.instrumentContactMobile)),
    fact('Building', instrument.instrumentDefinedBuilding),
    fact('E-mail', instrument.instrumentContactEmail),
    fact('Room', instrument.instrumentDefinedRoom),
    fact('IT contact', joined([instrument.itContactName, instrument.itContactEmail])),
  ]
}

export function systemFacts(instrument: Instrument): ReportFact[] {
  return [
    fact('Product', instrument.instrumentProductDescription),
    fact('Installed product ID', instrument.instrumentInstalledProductId),
    fact('System name', instrument.instrumentDefinedSystemName),
    fact('Instrument type', instrumentTypeLabels[instrument.instrumentType]),
    fact('Qualified system', instrument.qualifiedSystem ? 'Yes' : 'No'),
    fact('Installed on', day(instrument.instrumentInstallationDate)),
    fact('ORC status', joined([instrument.orcStatus, instrument.instrumentStatus])),
    fact('Added to ORC', day(instrument.connectedAt)),
    fact('Contract', joined([instrument.instrumentContractType, instrument.instrumentContractSlaTerm])),
    fact('Contract end', day(instrument.instrumentContractEndDate)),
    fact('Last service', day(instrument.instrumentLastService)),
    fact('Next service', day(instrument.instrumentNextService)),
    fact('UNICORN', joined([instrument.unicornVersion, instrument.unicornServicePack])),
    fact('Windows', instrument.unicornWinOs),
    fact('UNICORN PC', instrument.unicornPcName),
    fact('Embedded PC', joined([instrument.unicornEmbeddedPcType, instrument.unicornEmbeddedPcDomain])),
    fact('Configuration', instrument.unicornInstalledConfigFile),
    fact('Gateway', instrument.gatewayName),
    ...networkFacts(instrument.unicornNetworkConfigurations),
  ]
}

function networkFacts(told: string | null): ReportFact[] {
  const read = readNetworkConfigurations(told)
  if (read.kind === 'none') return []
  if (read.kind === 'unreadable') return [fact('Network', read.text)]
  return read.networks.map(({ name, ip, dhcpEnabled }) => {
    const addressing = dhcpEnabled === null ? null : dhcpEnabled ? 'by DHCP' : 'fixed'
    return fact(name === null ? 'Network' : `Network ${name}`, joined([ip, addressing]))
  })
}

function fact(name: string, value: string | null): ReportFact {
  return { name, value: value === '' || value === '–' ? null : value }
}

function day(date: string | null): string | null {
  return date === null ? null : formatInstrumentDate(date)
}

function joined(parts: (string | null)[]): string {
  return parts.filter(Boolean).join(' · ')
}
