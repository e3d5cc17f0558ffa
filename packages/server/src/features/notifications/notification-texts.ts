import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type NotificationKind, severityLabels } from '@benchwatch/contract/vocabulary'
import { oneLine } from '../../platform/message-text.ts'
import { cut } from '../event-emails/event-facts-block.ts'
import type { MailBrand } from '../messages/mail-frame.ts'
import { type EventList, placeOf } from './notification-mails.ts'

/** Names of the notification templates, as the outbox shows them. */
export const templates = {
  newEvent: 'new-event',
  assigned: 'assigned-event',
  held: 'held-events',
  digest: 'event-digest',
} as const

/**
 * Texts of notifications by SMS. A message has 160 characters of the basic alphabet. A single character outside it
 * switches the whole message to another encoding, in which two concatenated messages hold 134. Descriptions are cut to
 * fit, links never.
 */
const BASIC_ROOM = 160
const OTHER_ROOM = 134
/** Maximum length of an assigner's name. */
const NAME_ROOM = 40

type Link = Pick<MailBrand, 'publicUrl'>

/** Formats `HIGH ORC-104882 Pressure above limit, ÄKTA pure IP-20431187, Uppsala. https://…/events/104882`. */
export function eventText(
  { kind, event, assignedBy }: { kind: NotificationKind; event: ServiceEvent; assignedBy: string | null },
  { publicUrl }: Link,
): string {
  const assigned = assignedBy === null ? 'Assigned to you: ' : `${cut(assignedBy, NAME_ROOM)} assigned to you: `
  return fitted({
    head: `${kind === 'new_event_notification' ? '' : assigned}${severityLabels[event.severity]} ORC-${event.eventId}`,
    about: event.description,
    place: placeOf(event),
    link: `${publicUrl}/events/${event.eventId}`,
  })
}

/** Formats the number of events and the worst of them. */
export function eventListText({ reason, events, count, worst }: EventList, { publicUrl }: Link): string {
  const things = count === 1 ? 'service event' : 'service events'
  const example = events.find(({ severity }) => severity === worst) ?? events[0]
  const head = reason === 'held' ? `Maintenance is over: ${count} ${things}` : `${count} more ${things} within the hour`
  return fitted({
    head: `${head}. ${severityLabels[worst]}${example ? ` ORC-${example.eventId}` : ''}`,
    about: example?.description ?? '',
    place: example ? placeOf(example) : '',
    link: `${publicUrl}/notifications`,
  })
}

interface Parts {
  head: string
  about: string
  place: string
  link: string
}

function fitted(parts: Parts): string {
  const [head, about, place] = [parts.head, parts.about, parts.place].map((part) =>
    oneLine(plain(cut(part, BASIC_ROOM))),
  ) as [string, string, string]
  const whole = `${head} ${about}, ${place}. ${parts.link}`
  const room = isBasic(whole) ? BASIC_ROOM : OTHER_ROOM
  const free = room - sizeOf(`${head} . ${parts.link}`)
  // The description matters most: the place is shortened if it would leave less than half of the space.
  const placeRoom = Math.max(free - sizeOf(about), Math.floor(free / 2)) - sizeOf(', ')
  const keptPlace = cutTo(place, placeRoom)
  const keptAbout = cutTo(about, free - (keptPlace === '' ? 0 : sizeOf(`, ${keptPlace}`)))
  const said = [keptAbout, keptPlace].filter(Boolean).join(', ')
  return `${said === '' ? head : `${head} ${said}`}. ${parts.link}`
}

/** Cuts a text to a number of characters, as users count them; two dots mark the cut. */
function cutTo(text: string, room: number): string {
  if (sizeOf(text) <= room) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (sizeOf(`${kept}${segment}..`) > room) break
    kept += segment
  }
  return kept === '' ? '' : `${kept.trimEnd()}..`
}

/** Typographic characters and their equivalents in the basic alphabet. Letters are kept, because names contain them. */
const plainSigns: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '..',
  '·': '-',
  '•': '-',
  '×': 'x',
  '°': ' deg ',
  µ: 'u',
  μ: 'u',
  '≥': '>=',
  '≤': '<=',
  '±': '+/-',
}

function plain(text: string): string {
  return text.normalize('NFC').replace(/[‘’‚“”„«»–—−…·•×°µμ≥≤±]/g, (sign) => plainSigns[sign] ?? sign)
}

/** GSM 03.38; characters of the second line take two places. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const BASIC_OF_TWO = new Set('^{}\\[~]|€')

function isBasic(text: string): boolean {
  return [...text].every((character) => BASIC.has(character) || BASIC_OF_TWO.has(character))
}

function sizeOf(text: string): number {
  if (!isBasic(text)) return text.length
  return [...text].reduce((size, character) => size + (BASIC_OF_TWO.has(character) ? 2 : 1), 0)
}
