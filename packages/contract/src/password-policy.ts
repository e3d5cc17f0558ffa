/** The rules for a new password, as they are shown where one is set (document 1 section 5). Plain data and one test. */
export const passwordRules = [
  { id: 'length', text: 'at least 8 characters', pattern: /^.{8,}$/su },
  { id: 'lowercase', text: 'a lowercase letter', pattern: /\p{Ll}/u },
  { id: 'uppercase', text: 'at least 1 uppercase', pattern: /\p{Lu}/u },
  { id: 'number', text: 'at least 1 number', pattern: /\p{Nd}/u },
  { id: 'special', text: 'at least 1 special character', pattern: /[^\p{L}\p{N}\s]/u },
] as const

/** Longer ones are refused: the hash would be the same work, but a request must have an end. */
export const MAX_PASSWORD_LENGTH = 256

/** Texts of the rules that a password breaks, in their order; empty when it may be used. */
export function brokenPasswordRules(password: string): string[] {
  const broken: string[] = passwordRules.filter(({ pattern }) => !pattern.test(password)).map(({ text }) => text)
  return password.length > MAX_PASSWORD_LENGTH ? [...broken, `at most ${MAX_PASSWORD_LENGTH} characters`] : broken
}
