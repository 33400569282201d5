-- Punctuation separates words, so that the parts of `hr-ws-014.harbour.example` and of `user=dana.vries` are findable. A tsvector holds at most
-- 1 MB: the words of the first 20,000 characters are findable.
CREATE FUNCTION "alert_words"("alert_type" text, "alert_content" text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple', translate("alert_type" || ' ' || left("alert_content", 20000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
$$;
