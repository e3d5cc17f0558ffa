/**
 * All patterns of the product (3-decisions 4). All run in linear time: no nested or adjacent unbounded repetition, and
 * lengths are capped before matching.
 */

/** Digits, with or without the displayed prefix. */
export const EVENT_ID = /^(?:ORC-)?\d{1,18}$/

/** Default of CASE_NUMBER_PATTERN. */
export const CASE_NUMBER = /^\d{8}$/

/**
 * `<eisCode>-<errorCode>`: the module code may contain hyphens; the error code after the last one is digits or a name.
 * `template-ids.ts` makes one of the names that an instrument uses.
 */
export const TEMPLATE_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,39}-[A-Za-z0-9_.]{1,40}$/

/** Key of an instrument type. */
export const INSTRUMENT_TYPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/

/** Key of an instrument family: words with single spaces between them, but not `All`, which means every family. */
export const INSTRUMENT_FAMILY = /^(?![Aa][Ll][Ll]$)(?! )(?:[^\s/?#\p{Cc}\p{Cs}]| (?! |$)){1,60}$/u

/** `<instrumentType>/<templateId>`. */
export const TEMPLATE_KEY = new RegExp(`${INSTRUMENT_TYPE.source.slice(0, -1)}/${TEMPLATE_ID.source.slice(1)}`)

/** One @, no spaces, a dot in the domain. Only the mail server can check deliverability. */
export const EMAIL = /^[^\s\p{C}@<>(),;:"[\]\\]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/u

/** A mobile number in international form (E.164). */
export const MSISDN = /^\+[1-9]\d{6,14}$/

/** Code from an SMS, an e-mail or an authenticator app (3-decisions 2). */
export const ONE_TIME_CODE = /^\d{6}$/

export const INSTALLED_PRODUCT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Name of a source in the file of a gateway. */
export const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/

export const GATEWAY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `<epoch>-<seq>`: the epoch identifies one lifetime of a gateway's outbox, the number counts within it. */
export const INGEST_ITEM_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}-\d{1,16}$/

/** Key of a registry object as it appears in the address: no control characters, no unpaired surrogates. */
export const REGISTRY_KEY = /^[^\s/?#\p{Cc}\p{Cs}]{1,120}$/u

/** 24-hour contract terms other than those of the fixed list (3-decisions 4). */
export const FULL_SUPPORT_TERM = /\b24\s*(?:h|hrs?|hours?)\b/i

/**
 * The module in parentheses at the end of a component name, as in `Pump B (P9-B)`. The caller trims spaces before the
 * parentheses.
 */
export const COMPONENT_MODULE = /\(([^()]{1,40})\)$/

/** Text in braces on a line of a support e-mail template: a placeholder name, or a mistake that is refused. */
export const TEXT_IN_BRACES = /\{([^{}\r\n]{0,60})\}/

/** Levels of log lines come in the words of the machine that wrote them, which differ by manufacturer. */
export const ERROR_LEVEL = /^(?:err|crit|fatal|severe|alert|emerg|panic)/i

export const WARNING_LEVEL = /^warn/i
