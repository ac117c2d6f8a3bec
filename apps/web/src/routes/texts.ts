/** The texts that several routes show. */
export const routeText = {
  unavailable: 'We cannot reach the kitchen right now. Nothing is lost.',
  unavailableForForm: 'We cannot reach the kitchen right now. Your text is safe here.',
};
