-- Lists name a post by its title where it has one. Videos and pins were listed by their description, or as "No text".
update post set excerpt = left(btrim(regexp_replace(contents #>> '{0,title}', '\s+', ' ', 'g')), 160)
where btrim(coalesce(contents #>> '{0,title}', '')) <> '';
