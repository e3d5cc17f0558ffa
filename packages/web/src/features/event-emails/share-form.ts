import { limits } from '@benchwatch/contract/vocabulary'

/** The share form: document 1 section 5. */
export interface ShareForm {
  receiverIds: string[]
  comment: string
}

export const emptyShareForm: ShareForm = { receiverIds: [], comment: '' }

/** Returns the comment to send; null for none. */
export function shareMessage({ comment }: ShareForm): string | null {
  const message = comment.trim()
  return message === '' ? null : message
}

/** Counts as the server does, without surrounding spaces. */
export function commentLength(form: ShareForm): number {
  return shareMessage(form)?.length ?? 0
}

export function isCommentTooLong(form: ShareForm): boolean {
  return commentLength(form) > limits.shareMessage
}

/** True once at least one recipient is selected; the comment is optional. */
export function canShare(form: ShareForm): boolean {
  const { length } = form.receiverIds
  return length > 0 && length <= limits.shareReceivers && !isCommentTooLong(form)
}
