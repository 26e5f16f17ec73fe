-- Why a value cannot be one of a custom field, as the end of a sentence; null if it can. A value is the JSON that the API shows.
-- Decimals and times are strings of one form, so times are compared as texts.
CREATE OR REPLACE FUNCTION custom_field_fault(field custom_fields, value jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  plain constant text := value #>> '{}';
  kind constant text := jsonb_typeof(value);
  expected constant text := CASE WHEN field.type IN ('integer') THEN 'number' WHEN field.type = 'boolean' THEN 'boolean'
    WHEN field.type = 'tags' THEN 'array' ELSE 'string' END;
  least_value constant text := field.minimum #>> '{}';
  greatest_value constant text := field.maximum #>> '{}';
  day constant text := '(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))'
    || '|(?:\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)';
BEGIN
  IF kind <> expected THEN RETURN 'has a value of the wrong type'; END IF;
  CASE field.type
    WHEN 'integer' THEN
      IF plain !~ '^-?\d+$' OR plain::numeric NOT BETWEEN -2147483648 AND 2147483647 THEN
        RETURN 'must be a 32-bit integer';
      END IF;
    WHEN 'decimal' THEN
      IF plain !~ '^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,10})?$' OR plain ~ '^-0(?:\.0+)?$' THEN
        RETURN 'must be a decimal number';
      END IF;
    WHEN 'date' THEN
      IF plain !~ ('^' || day || '$') OR plain LIKE '0000%' THEN RETURN 'must be a date'; END IF;
    WHEN 'dateTime' THEN
      IF plain !~ ('^' || day || 'T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$') OR plain LIKE '0000%' THEN
        RETURN 'must be an instant in UTC with milliseconds';
      END IF;
    WHEN 'url' THEN
      IF plain !~* '^https?://[^\s/?#]' OR plain ~ '[\t-\r ]' THEN RETURN 'must be an absolute http or https address'; END IF;
    WHEN 'reference' THEN
      IF plain !~ '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN 'must be a uuid'; END IF;
    WHEN 'choice' THEN
      IF plain <> ALL(field.choices) THEN RETURN 'must be one of ' || some_of(field.choices); END IF;
    WHEN 'tags' THEN
      IF EXISTS (SELECT FROM jsonb_array_elements(value) tag WHERE jsonb_typeof(tag) <> 'string' OR char_length(tag #>> '{}') NOT BETWEEN 1 AND 255) THEN
        RETURN 'must be tags of 1 to 255 characters';
      END IF;
      IF jsonb_array_length(value) > 1000 THEN RETURN 'must have at most 1000 entries'; END IF;
      IF value <> (SELECT jsonb_agg(tag ORDER BY tag COLLATE "C") FROM (SELECT DISTINCT tag FROM jsonb_array_elements_text(value) tag) tags) THEN
        RETURN 'must be tags in order, each of them once';
      END IF;
      IF field.choices IS NOT NULL AND NOT value <@ to_jsonb(field.choices) THEN
        RETURN 'must have entries of ' || some_of(field.choices);
      END IF;
    ELSE NULL;
  END CASE;
  IF kind = 'string' AND char_length(plain) > 65536 THEN RETURN 'must be at most 65536 characters long'; END IF;
  IF field.pattern_sql IS NOT NULL AND plain !~ field.pattern_sql THEN RETURN 'must match ' || field.pattern; END IF;
  IF field.type IN ('integer', 'decimal') AND (plain::numeric < least_value::numeric OR plain::numeric > greatest_value::numeric)
    OR field.type IN ('date', 'dateTime') AND (plain < least_value COLLATE "C" OR plain > greatest_value COLLATE "C") THEN
    RETURN CASE WHEN least_value IS NULL THEN 'must be at most ' || greatest_value WHEN greatest_value IS NULL THEN 'must be at least ' || least_value
      ELSE 'must be between ' || least_value || ' and ' || greatest_value END;
  END IF;
  RETURN NULL;
END
$$;
