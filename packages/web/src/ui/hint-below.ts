/** Hints stand below their fields, so that fields side by side begin at one height. For `inputWrapperOrder` of Mantine. */
export const hintBelow: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
