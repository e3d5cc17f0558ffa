import { escapeHtml } from '../../platform/message-text.ts'
import { cut, timeInZone } from '../event-emails/event-facts-block.ts'
import { frameMail, type MailBlock, type MailBrand, type MailContent } from '../messages/mail-frame.ts'
import type { FilledTexts, MailFacts } from './support-email-text.ts'

/** The input for one event's part of an e-mail. */
export interface MailPart {
  facts: MailFacts
  texts: FilledTexts
  /** Token of the link that unsubscribes from these e-mails. */
  token: string
}

/** Length of the preview that mail clients show next to the subject, in characters as users count them. */
const PREVIEW = 140
const END_IT = 'Unsubscribe from this warning'

/** Returns the path of the page that asks before it unsubscribes. */
function pageOf(token: string): string {
  return `/unsubscribe?token=${token}`
}

/** Builds the automatic support e-mail about one event. */
export function supportEmailMail({ facts, texts, token }: MailPart, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: texts.subject,
      preview: cut(texts.body.replace(/\s+/g, ' '), PREVIEW),
      heading: texts.subject,
      blocks: [{ kind: 'html', html: texts.html, text: texts.body }, details(facts)],
      note: `You are receiving this e-mail because you are the contact for ${instrumentOf(facts)}.`,
      links: [{ label: END_IT, path: pageOf(token) }],
    },
    brand,
  )
}

/** Headers for the mail client's own unsubscribe button (RFC 2369, RFC 8058). */
export function unsubscribeHeaders(token: string, { publicUrl }: Pick<MailBrand, 'publicUrl'>): Record<string, string> {
  return {
    'List-Unsubscribe': `<${publicUrl}/api/unsubscribe/one-click?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** Builds one e-mail in place of several that waited. Each part has its own link, because the warnings differ. */
export function waitingEmailsMail(parts: readonly MailPart[], brand: MailBrand): MailContent {
  const [first] = parts
  const isOneInstrument = parts.every((part) => part.facts.installedProductId === first?.facts.installedProductId)
  const about = first && isOneInstrument ? instrumentOf(first.facts) : 'your instruments'
  const subject = `${parts.length} messages about ${about}`
  return frameMail(
    {
      subject,
      preview: cut(parts.map(({ texts }) => texts.subject).join(' · '), PREVIEW),
      heading: subject,
      blocks: [
        {
          kind: 'note',
          text: 'These messages were held back because the instrument was in maintenance or because you had already received many e-mails within the hour.',
        },
        ...parts.flatMap((part) => listed(part, brand)),
      ],
      note: `You are receiving this e-mail because you are the contact for ${about}.`,
    },
    brand,
  )
}

function listed({ facts, texts, token }: MailPart, { publicUrl }: MailBrand): MailBlock[] {
  const end = `${publicUrl}${pageOf(token)}`
  const link = `<p><a href="${escapeHtml(end)}">${END_IT}</a></p>`
  return [
    {
      kind: 'html',
      html: `<hr><h3>${escapeHtml(texts.subject)}</h3>\n${texts.html}`,
      text: `----------\n\n${texts.subject}\n\n${texts.body}`,
    },
    details(facts),
    { kind: 'html', html: link, text: `${END_IT}: ${end}` },
  ]
}

function details(facts: MailFacts): MailBlock {
  const values: [label: string, value: string | null][] = [
    ['Instrument', facts.productDescription],
    ['System name', facts.systemName],
    ['Product ID', facts.installedProductId],
    ['Module', facts.componentName],
    ['Warning number', facts.templateId],
    ['Event', `ORC-${facts.eventId}`],
    ['Date generated', timeInZone(facts.logGeneratedAt.toISOString(), facts.timeZone)],
  ]
  return { kind: 'details', facts: values.flatMap(([label, value]) => (value ? [{ label, value }] : [])) }
}

function instrumentOf({ productDescription, installedProductId }: MailFacts): string {
  return `${productDescription} (${installedProductId})`
}
