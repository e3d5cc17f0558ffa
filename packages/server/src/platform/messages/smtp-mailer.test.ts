import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/emulators/mail-server.ts'
import { smtpMailer } from './smtp-mailer.ts'
import { DeliveryError, type Mail, type Mailer } from './transports.ts'

const FROM = 'Benchwatch <support@benchwatch.example>'
const mail: Mail = {
  to: 'anna@helixbio.example',
  subject: 'Pump of ÄKTA stopped ✓',
  text: 'A line\n.\nand ünïcode',
  html: '<p>Ein <b>Wort</b></p>',
  headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': '<https://console.example/one-click?token=abc>' },
  messageId: '<outbound.7@console.example>',
}

let server: MailServer
let mailer: Mailer
beforeEach(async () => {
  server = await startMailServer()
  mailer = smtpMailer({ url: server.url, from: FROM })
})
afterEach(async () => {
  mailer.close()
  await server.close()
})

async function failureOf(sent: Promise<void>): Promise<DeliveryError> {
  const error = await sent.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DeliveryError)
  return error as DeliveryError
}

describe('a mail by SMTP', () => {
  it('arrives with both parts, its headers and a subject in any script', async () => {
    await mailer.send(mail)
    expect(server.mails).toHaveLength(1)
    const [{ recipients, parsed, raw }] = server.mails as [MailServer['mails'][number]]
    expect(recipients).toEqual([mail.to])
    expect(parsed.subject).toBe(mail.subject)
    expect(parsed.text?.trim()).toBe(mail.text)
    expect(parsed.html).toBe(mail.html)
    expect(parsed.messageId).toBe(mail.messageId)
    expect(parsed.from?.text).toBe('"Benchwatch" <support@benchwatch.example>')
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated')
    expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/console\.example\/one-click\?token=abc>$/im)
    expect(raw).toMatch(/^Content-Type: multipart\/alternative/im)
  })

  it.each([
    ['the subject', { subject: 'Hello\r\nBcc: thief@elsewhere.example\r\n\r\nOther text' }],
    ['a header', { headers: { 'X-Event': 'one\r\nBcc: thief@elsewhere.example' } }],
    ['the id', { messageId: '<a@b.example>\r\nBcc: thief@elsewhere.example' }],
  ])('gets no further line of its head through %s', async (_where, part) => {
    await mailer.send({ ...mail, ...part })
    const [taken] = server.mails
    expect(taken?.recipients).toEqual([mail.to])
    expect(taken?.parsed.bcc).toBeUndefined()
    expect(taken?.raw).not.toMatch(/^Bcc:/im)
    expect(taken?.parsed.text?.trim()).toBe(mail.text)
  })

  it.each([
    'anna@helixbio.example\r\nRCPT TO:<thief@elsewhere.example>',
    'anna@helixbio.example, thief@elsewhere.example',
    'anna@helixbio.example>\r\nDATA',
    'nobody',
    '',
  ])('goes to nobody but its one recipient: %j', async (to) => {
    await mailer.send({ ...mail, to }).catch(() => undefined)
    expect(server.mails.flatMap(({ recipients }) => recipients)).not.toContain('thief@elsewhere.example')
    expect(server.mails.every(({ recipients }) => recipients.length === 1)).toBe(true)
  })

  it.each([
    ['RCPT', 550, 'refused'],
    ['RCPT', 451, 'deferred'],
    ['RCPT', 421, 'deferred'],
    ['DATA', 554, 'refused'],
    ['DATA', 452, 'deferred'],
    ['MAIL', 550, 'unreachable'],
  ] as const)('answered at %s with %i is %s', async (command, answer, failure) => {
    server.answers[command].push(answer)
    expect(await failureOf(mailer.send(mail))).toMatchObject({ failure, answer })
    expect(server.mails).toHaveLength(0)
    await mailer.send(mail)
    expect(server.mails).toHaveLength(1)
  })

  it('whose connection breaks in the middle is wanted later by a server that accepts others', async () => {
    server.answers.DATA.push('drop')
    expect(await failureOf(mailer.send(mail))).toMatchObject({ failure: 'deferred', answer: undefined })
    await mailer.send(mail)
    expect(server.mails.map(({ parsed }) => parsed.messageId)).toEqual([mail.messageId])
  })

  it('is wanted later, and leaves its connection to others, when a server answers it byte by byte without end', async () => {
    const hasty = smtpMailer({ url: server.url, from: FROM, attemptMs: 200 })
    server.answers.RCPT.push('dribble', 'dribble', 'dribble', 'dribble')
    const failures = await Promise.all(
      [1, 2, 3, 4].map((id) => failureOf(hasty.send({ ...mail, messageId: `<outbound.${id}@console.example>` }))),
    )
    for (const { failure, message } of failures)
      expect([failure, message]).toEqual(['deferred', 'The mail server took too long.'])
    await hasty.send(mail)
    expect(server.mails.map(({ parsed }) => parsed.messageId)).toEqual([mail.messageId])
    hasty.close()
  })

  it('does not go to a server whose certificate nobody signed', async () => {
    const impostor = await startMailServer({ withBadCertificate: true })
    const careful = smtpMailer({ url: impostor.url, from: FROM })
    expect((await failureOf(careful.send(mail))).failure).toBe('unreachable')
    expect(impostor.mails).toHaveLength(0)
    careful.close()
    await impostor.close()
  })

  it('gives no password to a server without TLS', async () => {
    const open = smtpMailer({ url: server.url.replace('//', '//user:secret@'), from: FROM })
    expect((await failureOf(open.send(mail))).failure).toBe('unreachable')
    expect(server.mails).toHaveLength(0)
    open.close()
  })

  it('to a server that is down is reported', async () => {
    await server.close()
    expect((await failureOf(mailer.send(mail))).failure).toBe('unreachable')
  })
})
