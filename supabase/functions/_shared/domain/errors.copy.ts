/**
 * The French sentence of every error code that a server function answers
 * (specification, section 8; those that it does not name tell the person what to do).
 */
export const errorCopy = {
  campaign_not_found: "Campagne non trouvée ou inactive",
  campaign_failed: "Erreur lors du chargement de la campagne",
  review_failed: "Erreur lors de l'envoi de l'avis",
  feedback_failed: "Erreur lors de l'envoi du retour",
  feedback_exists: "Votre retour a déjà été envoyé. Merci !",
  customer_failed: "Erreur lors de la création du client: {detail}",
  invalid_request: "Paramètres manquants",
  review_not_found: "Veuillez scanner le QR code depuis le début",
  wheel_failed: "Impossible de lancer la roue",
  nothing_to_draw: "Aucun segment avec probabilité > 0 disponible",
  draw_failed: "Erreur lors du tirage",
  record_failed: "Erreur lors de l'enregistrement",
  spins_used_up:
    "La roue se repose : toutes les participations du mois ont été jouées. Revenez bientôt.",
  already_played: "Vous avez déjà joué. Revenez bientôt pour retenter votre chance.",
  too_many_attempts: "Trop d'essais. Patientez un instant, puis réessayez.",
  body_too_large: "La demande est trop longue.",
  method_not_allowed: "Cette action n'existe pas.",
  not_found: "Cette action n'existe pas.",
  unauthenticated: "Connectez-vous pour continuer.",
  second_factor_required: "Confirmez votre identité avec votre second facteur pour continuer.",
  forbidden: "Vous n'avez pas le droit de valider des codes pour ce magasin.",
  prize_not_found: "Ce gain n'est pas connu ici. Montrez le code à la caisse.",
  email_needed: "Indiquez l'adresse à laquelle l'envoyer.",
  code_not_found: "Ce code n'existe pas. Vérifiez les caractères.",
  code_test: "Ce code vient du mode test : il ne donne droit à rien.",
  code_used: "Ce code a déjà été utilisé.",
  code_expired: "Ce code a expiré.",
  code_other_store: "Ce code est valable dans un autre magasin.",
  api_key_refused: "Cette clé d'API est inconnue, révoquée ou expirée.",
  api_not_in_plan: "L'API est incluse dans le plan Pro, tant qu'il est actif.",
  api_off: "L'échange des clés d'API n'est pas encore configuré. Veuillez contacter le support.",
  export_forbidden: "Vous n'avez pas le droit d'exporter ces données.",
  export_owner_only: "Seul le propriétaire peut télécharger toutes les données.",
  export_not_in_plan: "L'export CSV est inclus dans le plan Pro.",
  export_busy: "Un autre export est en cours. Réessayez dans un instant.",
  billing_forbidden:
    "Vous devez être propriétaire ou administrateur d'une organisation pour souscrire à un plan",
  payments_off:
    "Le service de facturation n'est pas encore configuré. Veuillez contacter le support.",
  already_subscribed: "Un abonnement est déjà en cours : rechargez la page pour en changer.",
  organization_ending:
    "Cette organisation sera supprimée. Annulez d'abord la suppression depuis le tableau de bord.",
  not_subscribed: "Aucun abonnement actif. Veuillez choisir un plan.",
  campaigns_to_choose: "Choisissez les campagnes qui restent actives.",
  checkout_failed: "Erreur lors de la création de la session de paiement",
  update_failed: "Erreur lors de la mise à jour de l'abonnement",
  card_declined: "Votre carte a été refusée. Changez de carte, puis réessayez.",
  portal_failed: "Erreur lors de l'ouverture du portail de facturation.",
  customer_missing: "Aucun compte de facturation n'existe encore.",
  test_customer_failed: "Erreur lors de la création du client de test.",
  test_customer_not_saved: "Client créé mais erreur lors de la mise à jour de l'abonnement.",
  subscription_closed:
    "Votre plan n'est plus actif : vos données restent lisibles. Choisissez un plan pour continuer.",
  reading_closed:
    "Votre plan est terminé depuis plus de 30 jours : vos données ne se lisent plus. Choisissez un plan pour les retrouver.",
  brand_forbidden: "Vous n'avez pas le droit de changer la marque.",
  brand_not_in_plan: "La marque est incluse dans le plan Pro.",
  logo_too_heavy: "L'image dépasse 2 Mo.",
  logo_too_large: "L'image dépasse 12 millions de points.",
  logo_unreadable: "Ce n'est pas une image PNG, JPEG ou WebP lisible.",
  invalid_signature: "Signature refusée.",
  internal_error: "Une erreur est survenue. Réessayez dans un instant.",
} as const;

/** Fills `{detail}` of `customer_failed`: the database refuses what the form let through. */
export const customerRefused = "ces coordonnées ne peuvent pas être enregistrées";
