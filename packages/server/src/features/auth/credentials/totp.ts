import { Secret, TOTP } from 'otpauth'

/** The RFC 6238 defaults that all authenticator apps assume: SHA-1, six digits, 30 s. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Accepts the previous and the next step too: phone clocks are off by seconds, and typing takes time. */
const WINDOW = 1
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20

/** Returns a new secret in base32, the form in which users type it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the URL for the QR code. The app shows `issuer` and `label`. */
export function otpauthUrl(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret), issuer, label }).toString()
}

/**
 * Returns the time step of a code if it is current and later than `lastStep`, the last accepted step. A code can
 * therefore not be replayed by an onlooker.
 */
export function acceptedStep(
  secret: string,
  { code, at, lastStep }: { code: string; at: Date; lastStep: number },
): number | undefined {
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: at.getTime(), window: WINDOW })
  if (delta === null) return undefined
  const step = Math.floor(at.getTime() / 1000 / PARAMETERS.period) + delta
  return step > lastStep ? step : undefined
}
