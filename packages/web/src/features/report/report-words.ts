import { formatClock, formatInstrumentDate, zoneLabel } from '../../lib/dates.ts'
import type { ReportSource, ReportType } from './report-model.ts'

/** The sentences of a report: its title, what the product offers, who made it and for whose eyes it is. */

export const reportTypeLabels: Record<ReportType, string> = { fe: 'Field Engineer', qs: 'Qualification Services' }

export function reportTitles(reportType: ReportType): { title: string; subtitle: string } {
  return { title: 'System Report', subtitle: `${reportTypeLabels[reportType]} Report` }
}

export function reportDate(madeAt: number): string {
  return formatInstrumentDate(madeAt)
}

/** The info box: what the reader can see without waiting for the next report (document 2, section 9 of the report). */
export function aboutPoints(product: string): { title: string; text: string }[] {
  return [
    {
      title: 'Alarms',
      text: `${product} shows an event as soon as an instrument reports one, and tells those who chose to be told by e-mail or text message.`,
    },
    {
      title: 'Status and usage',
      text: 'See what each connected instrument is doing, how long it ran, and which of its parts will be due next.',
    },
    {
      title: 'Log files',
      text: 'Read what an instrument and its computers wrote around an event, without a visit to the laboratory.',
    },
    {
      title: 'Your account',
      text: `Access to ${product} comes with a short training. Ask your service contact to take part.`,
    },
  ]
}

export function madeBy({ author, product, madeAt }: ReportSource): string {
  const who = author.email === '' ? author.name : `${author.name} (${author.email})`
  const when = `${formatInstrumentDate(madeAt)} ${formatClock(madeAt)}, ${zoneLabel(new Date(madeAt))}`
  return `Created by ${who} on ${when} with ${product.name} ${product.version}.`
}

export function confidentiality(customer: string): string {
  return (
    `Confidential. This report holds data about ${customer} and one of its instruments. It is meant for ${customer} and ` +
    'for those who serve the instrument. Do not pass it on to anybody else without consent.'
  )
}
