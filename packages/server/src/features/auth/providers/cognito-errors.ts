import type { ErrorCode } from '@benchwatch/contract/errors'
import { type ProblemError, problem } from '../../../platform/http/problem.ts'

/** The request that Cognito refused. */
export type CognitoStep = 'sign-in' | 'new-password' | 'code' | 'resend' | 'forgot' | 'confirm' | 'recheck'

/** `as-if-sent`: the response hides the refusal, because it occurs only for existing accounts. */
type Meaning = ErrorCode | 'as-if-sent'

/** Steps before the caller has proven anything. All that Cognito knows is reported under these codes. */
const unproven: Record<CognitoStep, Meaning> = {
  'sign-in': 'bad-credentials',
  'new-password': 'challenge-expired',
  code: 'challenge-expired',
  resend: 'challenge-expired',
  forgot: 'as-if-sent',
  confirm: 'wrong-code',
  recheck: 'session-expired',
}

/** Error codes of wire 10 by exception name, and by step where they differ. The default is `unavailable`. */
const meanings: Record<string, Meaning | Partial<Record<CognitoStep, Meaning>>> = {
  NotAuthorizedException: unproven,
  // Hides unknown names even for pools that reveal them (PreventUserExistenceErrors=LEGACY).
  UserNotFoundException: unproven,
  UserNotConfirmedException: unproven,
  PasswordResetRequiredException: unproven,
  UserLambdaValidationException: unproven,
  RefreshTokenReuseException: unproven,
  InvalidParameterException: {
    ...unproven,
    'new-password': 'password-policy',
    code: 'invalid-parameter',
    confirm: 'invalid-parameter',
    recheck: 'unavailable',
  },
  InvalidPasswordException: { ...unproven, 'new-password': 'password-policy', confirm: 'password-policy' },
  PasswordHistoryPolicyViolationException: { 'new-password': 'password-policy', confirm: 'password-policy' },
  CodeMismatchException: { code: 'wrong-code', confirm: 'wrong-code' },
  ExpiredCodeException: { code: 'challenge-expired', confirm: 'code-expired' },
  TooManyFailedAttemptsException: {
    ...allSteps('too-many-requests'),
    'sign-in': 'attempts-exceeded',
    code: 'attempts-exceeded',
  },
  // Cognito counts per account, so at `forgot` the error would reveal that the account exists.
  LimitExceededException: { ...allSteps('too-many-requests'), forgot: 'as-if-sent' },
  TooManyRequestsException: 'too-many-requests',
  ThrottlingException: 'too-many-requests',
  // A web application firewall in front of the pool.
  ForbiddenException: 'too-many-requests',
  CodeDeliveryFailureException: { ...allSteps('sms-failed'), forgot: 'mail-busy' },
  InvalidEmailRoleAccessPolicyException: { ...allSteps('sms-failed'), forgot: 'mail-busy' },
  InvalidSmsRoleAccessPolicyException: 'sms-failed',
  InvalidSmsRoleTrustRelationshipException: 'sms-failed',
}

/** Exceptions with several meanings, distinguished by their message. Checked before the table. */
const bySentence: { name: string; says: RegExp; steps?: readonly CognitoStep[]; means: Meaning }[] = [
  // The cause is a setting of this server or of the pool, not the user's input.
  { name: 'NotAuthorizedException', says: /secret/i, means: 'unavailable' },
  { name: 'InvalidParameterException', says: /not enabled|SECRET_HASH/i, means: 'unavailable' },
  {
    name: 'NotAuthorizedException',
    says: /attempts exceeded/i,
    steps: ['sign-in', 'code'],
    means: 'attempts-exceeded',
  },
  {
    name: 'InvalidParameterException',
    says: /phone/i,
    steps: ['sign-in', 'new-password', 'resend'],
    means: 'bad-phone',
  },
  // Cognito returns "Cannot reset password for the user as there is no registered/verified email" for existing
  // accounts only.
  { name: 'InvalidParameterException', says: /validation error/i, steps: ['forgot'], means: 'wrong-user-ids' },
  // Codes of an authenticator app work once; another SMS would not help.
  { name: 'ExpiredCodeException', says: /already been used/i, steps: ['code'], means: 'wrong-code' },
]

const sentences: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'Incorrect username or password.',
  'attempts-exceeded': 'Password attempts exceeded.',
  'too-many-requests': 'Too many requests, please try again later.',
  'mail-busy': 'Mail service is busy, please try again later.',
  'wrong-user-ids': 'Wrong userIds parameter.',
  'wrong-code': 'Incorrect verification code.',
  'code-expired': 'The verification code has expired, please resend the code.',
  'challenge-expired': 'MFA Token has expired, please resend code.',
  'invalid-parameter': 'Invalid parameter format.',
  'sms-failed': 'Failed to send SMS, please contact administrator.',
  'password-policy': 'Password does not conform to policy.',
  'bad-phone': 'Mobile number format error.',
  'session-expired': 'Session expired',
}
const UNREACHABLE = 'The identity provider is not responding. Try again in a moment.'

/** Returns the meaning of a refusal: a code of wire 10, or `as-if-sent` if nothing may be revealed. */
export function cognitoMeaning(step: CognitoStep, error: unknown): Meaning {
  const { name, message } = error instanceof Error ? error : new Error('')
  const sentence = bySentence.find(
    (rule) => rule.name === name && rule.says.test(message) && (rule.steps?.includes(step) ?? true),
  )
  if (sentence) return sentence.means
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined
  return (typeof meaning === 'object' ? meaning[step] : meaning) ?? 'unavailable'
}

/** Returns the problem to throw. Cognito's name and message are logged; they never repeat a secret. */
export function cognitoProblem(code: ErrorCode, error: unknown): ProblemError {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : 'an error without a name'
  return problem(code, sentences[code] ?? UNREACHABLE, { cause: new Error(`Cognito said ${said}`) })
}

function allSteps(meaning: Meaning): Record<CognitoStep, Meaning> {
  return Object.fromEntries(Object.keys(unproven).map((step) => [step, meaning])) as Record<CognitoStep, Meaning>
}
