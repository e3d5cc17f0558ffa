import { DeliveryError, type DeliveryFailure, type SmsSender } from './transports.ts'

export interface TwilioAccount {
  accountSid: string
  authToken: string
  /** A number of the account in international format, or the id of a messaging service. */
  from: string
  apiUrl: string
}

/** Timeout of a message that nobody waits for: long, because one that is given up may arrive all the same. */
const ANSWER_MS = 60_000

/** Sends text messages by Twilio's HTTP API. */
export function twilioSmsSender({ accountSid, authToken, from, apiUrl }: TwilioAccount): SmsSender {
  const address = `${apiUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  return {
    kind: 'twilio',
    async send({ to, text }, answerMs = ANSWER_MS) {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: to, From: from, Body: text }),
        // Following a redirect would send the phone number and the code to another host.
        redirect: 'error',
        signal: AbortSignal.timeout(answerMs),
      }).catch((cause: unknown) => {
        throw new DeliveryError('Twilio did not answer.', {
          failure: mayHaveArrived(cause) ? 'deferred' : 'unreachable',
          cause,
        })
      })
      if (answer.ok) {
        await answer.body?.cancel()
        return
      }
      // Twilio's message may quote the phone number; its error code does not.
      const number = codeOf(await answer.json().catch(() => undefined)) ?? answer.status
      throw new DeliveryError(`Twilio answered ${answer.status} (${number}).`, {
        failure: failureOf(answer.status),
        answer: number,
      })
    },
  }
}

/** Twilio may have sent it if it took the request: soon and often repeated, the message would arrive as often. */
function mayHaveArrived(failure: unknown): boolean {
  const { name, cause } = failure as { name: string; cause?: { code?: string; syscall?: string } }
  if (name === 'TimeoutError' || cause?.code === 'UND_ERR_SOCKET') return true
  // A connection that did not come about names another call, or none.
  return ['ECONNRESET', 'EPIPE'].includes(cause?.code ?? '') && ['read', 'write'].includes(cause?.syscall ?? '')
}

/**
 * Returns the kind of failure: a wrong key or an empty account affects every message; any other 4xx affects only this
 * one. Twilio may have sent a message that it answers with an error of its own, except 503, and recognises no repeat.
 */
function failureOf(status: number): DeliveryFailure {
  if (status === 429 || (status >= 500 && status !== 503)) return 'deferred'
  return status >= 500 || status === 401 || status === 403 || status < 400 ? 'unreachable' : 'refused'
}

function codeOf(body: unknown): number | undefined {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return typeof code === 'number' ? code : undefined
}
