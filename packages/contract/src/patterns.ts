/**
 * Every pattern of the product in one place (3-decisions 4). All are linear-time: no nested or adjacent unbounded
 * repetition, and lengths are capped before a pattern is tried.
 */

/** Digits, with or without the prefix that people read. */
export const EVENT_ID = /^(?:ORC-)?\d{1,18}$/

/** Default of CASE_NUMBER_PATTERN. */
export const CASE_NUMBER = /^\d{8}$/

/** `<eisCode>-<errorCode>`: the module code may hold hyphens, the error code is the digits after the last one. */
export const TEMPLATE_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,39}-\d{1,9}$/

/** One @, no blanks, a dot in the domain. Deliverability is the mail server's business. */
export const EMAIL = /^[^\s\p{C}@<>(),;:"[\]\\]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/u

/** A mobile number in international form (E.164). */
export const MSISDN = /^\+[1-9]\d{6,14}$/

/** What an SMS, a mail or an authenticator app shows (3-decisions 2). */
export const ONE_TIME_CODE = /^\d{6}$/

export const INSTALLED_PRODUCT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const GATEWAY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `<epoch>-<seq>`: the epoch names one life of a gateway's outbox, the number counts within it. */
export const INGEST_ITEM_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}-\d{1,16}$/

/** Key of a registry object as it stands in the address: no control characters, no half surrogate pairs. */
export const REGISTRY_KEY = /^[^\s/?#\p{Cc}\p{Cs}]{1,120}$/u

/** 24-hour contract terms beyond the fixed list (3-decisions 4). */
export const FULL_SUPPORT_TERM = /\b24\s*(?:h|hrs?|hours?)\b/i

/** The module in parentheses at the end of a component name, as in `Pump B (P9-B)`; blanks before them are the reader's to trim. */
export const COMPONENT_MODULE = /\(([^()]{1,40})\)$/

/** What stands in braces on a line of a support e-mail's texts: the name of a placeholder, or a slip that is refused. */
export const TEXT_IN_BRACES = /\{([^{}\r\n]{0,60})\}/
