-- The demo shop of a new installation: a café that somebody could know, on the plan Pro
-- without end. Its owner signs up like anybody else; the server hands in who that is as
-- the setting `demo.owner`.

do $$
declare
  v_org uuid;
  v_store uuid;
  v_campaign uuid;
  v_coffee uuid;
  v_discount uuid;
  v_points uuid;
  v_tart uuid;
  v_brunch uuid;
begin
  insert into public.organizations (name, slug)
  values ('Café Bertille', 'cafe-bertille')
  returning id into v_org;

  insert into public.subscriptions (org_id, plan, status) values (v_org, 'pro', 'active');

  insert into public.organization_members (org_id, user_id, role)
  values (v_org, current_setting('demo.owner')::uuid, 'owner');

  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode)
  values (
    v_org, 'Café Bertille', 'cafe-bertille', '18 rue des Arbalétriers, 75003 Paris',
    -- The place that the reviews provider's own documentation takes as its example.
    'https://search.google.com/local/writereview?placeid=ChIJN1t_tDeuEmsRUsoyG83frY4', 'compliant'
  )
  returning id into v_store;

  -- No limit between two plays, so that whoever tries the demo can try it again.
  insert into public.campaigns (org_id, store_id, name, slug, description, play_interval_days, translations)
  values (
    v_org, v_store, 'La roue du comptoir', 'demo',
    'Campagne de démonstration : le QR code est posé près de la caisse.', 0,
    '{"en": "The counter wheel", "de": "Das Glücksrad am Tresen", "es": "La ruleta de la barra", "it": "La ruota del bancone", "nl": "Het rad aan de bar"}'
  )
  returning id into v_campaign;

  insert into public.rewards
    (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, picture,
      translations, item_translations)
  values
    (v_org, v_campaign, 'Café offert', 'Un espresso ou un allongé, au comptoir ou en salle.',
      'gift', 'gift', 2.20, 'CAFE-{random}', -1, 10, '{"item": "Un espresso ou un allongé", "validityDays": 30}',
      'coffee',
      '{"en": "Free coffee", "de": "Gratis-Kaffee", "es": "Café gratis", "it": "Caffè in omaggio", "nl": "Gratis koffie"}',
      '{"en": "An espresso or a long black", "de": "Ein Espresso oder ein Lungo", "es": "Un café solo o largo", "it": "Un espresso o un caffè lungo", "nl": "Een espresso of een lungo"}')
  returning id into v_coffee;

  insert into public.rewards
    (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, picture,
      translations, item_translations)
  values
    (v_org, v_campaign, '10 % de remise', 'Sur toute l''addition, hors menu du jour.',
      'coupon', 'coupon', 3.00, 'REMISE-{random}', -1, 10, '{"discountPercent": 10, "validityDays": 30}',
      'discount',
      '{"en": "10% off", "de": "10 % Rabatt", "es": "10 % de descuento", "it": "Sconto del 10%", "nl": "10% korting"}',
      '{}')
  returning id into v_discount;

  insert into public.rewards
    (org_id, campaign_id, name, description, type, reward_type, value, stock, max_per_user, metadata, picture,
      translations, item_translations)
  values
    (v_org, v_campaign, '50 points', 'Crédités sur la carte de fidélité.',
      'points', 'points', 0.50, -1, 10, '{"points": 50}',
      'star',
      '{"en": "50 points", "de": "50 Punkte", "es": "50 puntos", "it": "50 punti", "nl": "50 punten"}',
      '{}')
  returning id into v_points;

  insert into public.rewards
    (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, picture,
      translations, item_translations)
  values
    (v_org, v_campaign, 'Tarte du jour', 'Une part, faite le matin même.',
      'gift', 'gift', 5.50, 'TARTE-{random}', 30, 2, '{"item": "Une part de tarte du jour", "validityDays": 15}',
      'dessert',
      '{"en": "Tart of the day", "de": "Kuchen des Tages", "es": "Tarta del día", "it": "Torta del giorno", "nl": "Taart van de dag"}',
      '{"en": "A slice of the tart of the day", "de": "Ein Stück vom Kuchen des Tages", "es": "Una porción de la tarta del día", "it": "Una fetta della torta del giorno", "nl": "Een punt van de taart van de dag"}')
  returning id into v_tart;

  insert into public.rewards
    (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, picture,
      translations, item_translations)
  values
    (v_org, v_campaign, 'Brunch pour deux', 'Le dimanche, sur réservation.',
      'gift', 'gift', 46.00, 'BRUNCH-{random}', 3, 1, '{"item": "Deux brunchs complets", "validityDays": 60}',
      'meal',
      '{"en": "Brunch for two", "de": "Brunch für zwei", "es": "Brunch para dos", "it": "Brunch per due", "nl": "Brunch voor twee"}',
      '{"en": "Two full brunches", "de": "Zwei komplette Brunchs", "es": "Dos brunchs completos", "it": "Due brunch completi", "nl": "Twee complete brunches"}')
  returning id into v_brunch;

  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  values
    (v_org, v_campaign, v_coffee, 'Café offert', '#8B5CF6', 24, 0, '{}'),
    (v_org, v_campaign, null, 'Pas de chance', '#6B7280', 14, 1, '{}'),
    (v_org, v_campaign, v_discount, '10 % de remise', '#10B981', 20, 2, '{}'),
    (v_org, v_campaign, v_points, '50 points', '#06B6D4', 14, 3, '{}'),
    (v_org, v_campaign, v_tart, 'Tarte du jour', '#F59E0B', 10, 4, '{}'),
    (v_org, v_campaign, null, 'La prochaine fois', '#6B7280', 12, 5,
      '{"en": "Next time", "de": "Nächstes Mal", "es": "La próxima vez", "it": "La prossima volta", "nl": "Volgende keer"}'),
    (v_org, v_campaign, v_brunch, 'Brunch pour deux', '#EC4899', 6, 6, '{}');

  -- A second win of points buys the first of these.
  insert into public.points_rewards (org_id, name, cost, translations)
  values
    (v_org, 'Un café au comptoir', 100,
      '{"en": "A coffee at the counter", "de": "Ein Kaffee am Tresen", "es": "Un café en la barra", "it": "Un caffè al bancone", "nl": "Een koffie aan de bar"}'),
    (v_org, 'Une viennoiserie', 150,
      '{"en": "A pastry", "de": "Ein Plundergebäck", "es": "Un bollo", "it": "Una brioche", "nl": "Een koffiebroodje"}'),
    (v_org, 'Une formule petit-déjeuner', 400,
      '{"en": "A breakfast set", "de": "Ein Frühstücksmenü", "es": "Un desayuno completo", "it": "Una colazione completa", "nl": "Een ontbijtmenu"}');
end;
$$;
