import { limits } from '@benchwatch/contract/vocabulary'

/** What has been entered to share an event: document 1 section 5. */
export interface ShareForm {
  receiverIds: string[]
  comment: string
}

export const emptyShareForm: ShareForm = { receiverIds: [], comment: '' }

/** The comment as it is sent: null for none. */
export function shareMessage({ comment }: ShareForm): string | null {
  const message = comment.trim()
  return message === '' ? null : message
}

/** Counted as the server counts it, without the spaces around it. */
export function commentLength(form: ShareForm): number {
  return shareMessage(form)?.length ?? 0
}

export function isCommentTooLong(form: ShareForm): boolean {
  return commentLength(form) > limits.shareMessage
}

/** Disabled until at least one recipient is selected; a comment is optional. */
export function canShare(form: ShareForm): boolean {
  const { length } = form.receiverIds
  return length > 0 && length <= limits.shareReceivers && !isCommentTooLong(form)
}
