import { Secret, TOTP } from 'otpauth'

/** RFC 6238 as every authenticator app has it without being told: SHA-1, six digits, 30 s. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks of phones are off by seconds, and typing takes some: the step before and the one after count too. */
const WINDOW = 1
/** As RFC 4226 recommends: 160 bits. */
const SECRET_BYTES = 20

/** A new secret in base32, as it is typed into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that a QR code holds; `issuer` and `label` are what the app shows. */
export function otpauthUrl(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret), issuer, label }).toString()
}

/**
 * The step whose code this is, if it is one of now and comes after `lastStep`, the last one that was accepted: a code
 * that somebody saw being typed opens nothing.
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
