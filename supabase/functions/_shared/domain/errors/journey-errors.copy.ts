/**
 * French of what the customers' journey and programs are refused with (specification, section 8): no first screen of
 * the back-office needs it.
 */
export const journeyErrorCopy = {
  campaign_not_found: "Campagne non trouvée ou inactive",
  campaign_failed: "Erreur lors du chargement de la campagne",
  review_failed: "Erreur lors de l'envoi de l'avis",
  feedback_failed: "Erreur lors de l'envoi du retour",
  feedback_exists: "Votre retour a déjà été envoyé. Merci !",
  customer_failed: "Erreur lors de la création du client: {detail}",
  review_not_found: "Veuillez scanner le QR code depuis le début",
  wheel_failed: "Impossible de lancer la roue",
  nothing_to_draw: "Aucun segment avec probabilité > 0 disponible",
  draw_failed: "Erreur lors du tirage",
  record_failed: "Erreur lors de l'enregistrement",
  spins_used_up: "La roue se repose : tous les tours du mois ont été joués. Revenez bientôt.",
  already_played: "Vous avez déjà joué. Revenez bientôt pour retenter votre chance.",
  presence_missing: "Montrez que vous êtes sur place, puis lancez la roue.",
  presence_wrong:
    "Ce n'est pas ce qui est affiché en ce moment. Regardez de nouveau, puis réessayez.",
  prize_not_found: "Ce gain n'est pas connu ici. Montrez le code à la caisse.",
  points_reward_gone: "Ce cadeau n'est plus proposé. Vos points sont intacts.",
  points_cost_changed: "Le nombre de points demandé a changé. Vos points sont intacts.",
  points_missing: "Il vous manque des points pour ce cadeau.",
  points_sold_out: "Il n'en reste plus. Vos points sont intacts.",
  points_request_reused: "Cette demande a déjà servi. Ouvrez de nouveau vos points.",
  email_needed: "Indiquez l'adresse à laquelle l'envoyer.",
  body_too_large: "La demande est trop longue.",
  api_key_refused: "Cette clé d'API est inconnue, révoquée ou expirée.",
  api_not_in_plan: "L'API est incluse dans le plan Pro, tant qu'il est actif.",
  api_off: "L'échange des clés d'API n'est pas encore configuré. Veuillez contacter le support.",
  invalid_signature: "Signature refusée.",
} as const;
