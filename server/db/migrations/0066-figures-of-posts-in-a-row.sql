/*
 * The row `published` of a post has all its figures to date, too (`figures`): the sums of chosen posts, such as those of a label, and
 * a page of the post table take one row of each post instead of one of each figure.
 */
alter table post_figure add column figures jsonb;
alter table post_figure disable trigger user;
update post_figure p set figures = coalesce((
  select jsonb_object_agg(v.name, v.value) from post_figure f cross join lateral (values (f.name, f.value), ('ratePart', f.part), ('rateWhole', f.whole)) v(name, value)
  where f.org_id = p.org_id and f.post_id = p.post_id and f.name <> 'published' and v.value is not null), '{}')
where p.name = 'published';
alter table post_figure enable trigger user;
alter table post_figure add check ((name = 'published') = (figures is not null));
analyze post_figure;
