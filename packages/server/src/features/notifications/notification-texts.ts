import type { ServiceEvent } from '@benchwatch/contract/events'
import { type NotificationKind, severityLabels } from '@benchwatch/contract/vocabulary'
import { oneLine } from '../../platform/message-text.ts'
import { cut } from '../event-emails/event-facts-block.ts'
import type { MailBrand } from '../messages/mail-frame.ts'
import { type EventList, placeOf } from './notification-mails.ts'

/** Kinds of messages by which users are told of events, as the outbox names them. */
export const templates = {
  newEvent: 'new-event',
  assigned: 'assigned-event',
  held: 'held-events',
  digest: 'event-digest',
} as const

/**
 * What the text messages say that tell users of events. A message holds 160 characters of the alphabet that every phone has;
 * one character outside of it turns all of them into another coding, of which two messages together hold 134. Descriptions
 * are cut to that, links never.
 */
const BASIC_ROOM = 160
const OTHER_ROOM = 134
/** Of whoever gave the event to somebody. */
const NAME_ROOM = 40

type Link = Pick<MailBrand, 'publicUrl'>

/** `HIGH ORC-104882 Pressure above limit, ÄKTA pure IP-20431187, Uppsala. https://…/events/104882` */
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

/** The number of events, and the worst of them. */
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
  // The description tells most: the place gives way once it would leave less than half of the room to it.
  const placeRoom = Math.max(free - sizeOf(about), Math.floor(free / 2)) - sizeOf(', ')
  const keptPlace = cutTo(place, placeRoom)
  const keptAbout = cutTo(about, free - (keptPlace === '' ? 0 : sizeOf(`, ${keptPlace}`)))
  const said = [keptAbout, keptPlace].filter(Boolean).join(', ')
  return `${said === '' ? head : `${head} ${said}`}. ${parts.link}`
}

/** As many characters, as people count them, as there is room for, with two dots where more follow. */
function cutTo(text: string, room: number): string {
  if (sizeOf(text) <= room) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (sizeOf(`${kept}${segment}..`) > room) break
    kept += segment
  }
  return kept === '' ? '' : `${kept.trimEnd()}..`
}

/** Signs of typography, which mean the same as those of the basic alphabet. Letters stay as they are: they are names. */
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

/** GSM 03.38; those of the second line take two places. */
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
