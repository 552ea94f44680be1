/** Languages whose number formats differ in separators, grouping or digits. */
export const languages = 'en-US de-DE de-CH fr-FR es-ES pl-PL ru-RU pt-BR ja-JP en-IN hi-IN ar-EG fa-IR bn-BD'.split(
  ' ',
)
